/** Unicode code points. */
export const emailLengthMax = 254;

/** Characters that stand nowhere in an address: they would have to be quoted, or break out of a mail header. */
const foreign = String.raw`\s@<>(),;:"\\\u0000-\u001f\u007f\ud800-\udfff`;
/** A part of a host's name: between dots, without a hyphen at either end. */
const label = `(?!-)[^${foreign}.]+(?<!-)`;

/**
 * One @, and the name of a host behind it. What stands before the @ is the business of who receives there, and whether
 * anybody reads it only sending shows.
 */
export const plausibleEmail = `^[^${foreign}]+@${label}(?:\\.${label})+$`;

const pattern = new RegExp(plausibleEmail, 'u');

export function isPlausibleEmail(text: string): boolean {
  return [...text].length <= emailLengthMax && pattern.test(text);
}
