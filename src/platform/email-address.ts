/** In Unicode code points. */
export const emailLengthMax = 254;

/** Characters that are refused in an address. They need quoting or could break out of a mail header. */
const foreign = String.raw`\s@<>(),;:"\\\u0000-\u001f\u007f\ud800-\udfff`;
/** A label of a host name, without a hyphen at either end. */
const label = `(?!-)[^${foreign}.]+(?<!-)`;

/**
 * Pattern of an address: one @ and a host name after it. The receiving server decides what the local part means, and
 * only sending shows whether the mailbox exists.
 */
export const plausibleEmail = `^[^${foreign}]+@${label}(?:\\.${label})+$`;

const pattern = new RegExp(plausibleEmail, 'u');

export function isPlausibleEmail(text: string): boolean {
  return [...text].length <= emailLengthMax && pattern.test(text);
}
