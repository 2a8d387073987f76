/** Unicode code points. */
export const emailLengthMax = 254;

/**
 * One @ with text around it, a dot in the domain, and nothing that could break out of a mail header. Whether anybody
 * reads what is sent there only sending shows.
 */
export const plausibleEmail =
  '^[^\\s@<>(),;:"\\\\\\u0000-\\u001f\\u007f\\ud800-\\udfff]+@[^\\s@<>(),;:"\\\\\\u0000-\\u001f\\u007f\\ud800-\\udfff]+\\.[^\\s@<>(),;:"\\\\.\\u0000-\\u001f\\u007f\\ud800-\\udfff]+$';

const pattern = new RegExp(plausibleEmail, 'u');

export function isPlausibleEmail(text: string): boolean {
  return [...text].length <= emailLengthMax && pattern.test(text);
}
