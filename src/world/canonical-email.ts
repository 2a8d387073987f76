import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Returns the one form in which e-mail addresses are compared. Two addresses belong to one person only if their
 * canonical forms are equal. Never throws: text that is no address gets a form too.
 *
 * - Surrounding white space is removed.
 * - Local part: ASCII letters in lower case, then Unicode NFC. Other letters keep their case, and no other character
 *   turns into an ASCII one: U+212A (Kelvin sign) is not `k`, U+0130 is not `i`.
 * - Domain: its A-label in lower case, as DNS sees it (`BÜCHER.example` is `xn--bcher-kva.example`).
 */
export function canonicalEmail(address: string): string {
  const text = address.trim();
  const at = text.lastIndexOf('@') + 1;
  return canonicalLocalPart(text.slice(0, at)) + canonicalDomain(text.slice(at));
}

export function isSameEmail(one: string, other: string): boolean {
  return canonicalEmail(one) === canonicalEmail(other);
}

/** The address with its domain as an A-label, for mail servers that know no other. The local part stays as it is. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + canonicalDomain(address.slice(at));
}

/** NFC turns these three into `K`, `;` and a backtick. They stay as they are, or they would pass for ASCII. */
const becomesAscii = /([\u212a\u037e\u1fef])/u;

function canonicalLocalPart(text: string): string {
  const parts = lowerAscii(text).split(becomesAscii);
  return parts.map((part) => (becomesAscii.test(part) ? part : part.normalize('NFC'))).join('');
}

const ascii = /^[\0-\x7f]*$/;
/** Letters, digits, hyphens, dots and underscores. Anything else in ASCII means something to the URL parser. */
const foreignToHosts = /[\0-,/:-@[-^`{-\x7f]/;

/** A domain that IDNA refuses is compared as it is written. */
function canonicalDomain(text: string): string {
  const lower = lowerAscii(text);
  // The URL parser behind domainToASCII() would also unescape `%61`, and read `127.1` as an IP address.
  if (ascii.test(lower) || foreignToHosts.test(lower)) return lower;
  const label = domainToASCII(lower);
  return label === '' || isIP(label) !== 0 ? lower : label;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
