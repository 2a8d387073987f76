import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Returns the form in which e-mail addresses are compared. Two addresses belong to one person only if their canonical
 * forms are equal. Never throws: text that is not an address also gets a form.
 *
 * - Removes surrounding white space.
 * - Local part: lower-cases ASCII letters, then applies Unicode NFC. Other letters keep their case, and no other
 *   character becomes ASCII: U+212A (Kelvin sign) is not `k`, U+0130 is not `i`.
 * - Domain: lower-case A-label, as in DNS (`BÜCHER.example` becomes `xn--bcher-kva.example`).
 */
export function canonicalEmail(address: string): string {
  const text = address.trim();
  const at = text.lastIndexOf('@') + 1;
  return canonicalLocalPart(text.slice(0, at)) + canonicalDomain(text.slice(at));
}

export function isSameEmail(one: string, other: string): boolean {
  return canonicalEmail(one) === canonicalEmail(other);
}

/**
 * Returns the address with its domain as an A-label, for mail servers without Unicode support. The local part is
 * unchanged.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + canonicalDomain(address.slice(at));
}

/** NFC turns these three into `K`, `;` and a backtick. They are left unchanged, because they must not become ASCII. */
const becomesAscii = /([\u212a\u037e\u1fef])/u;

function canonicalLocalPart(text: string): string {
  const parts = lowerAscii(text).split(becomesAscii);
  return parts.map((part) => (becomesAscii.test(part) ? part : part.normalize('NFC'))).join('');
}

const ascii = /^[\0-\x7f]*$/;
/** ASCII characters other than letters, digits, hyphens, dots and underscores. The URL parser gives them a meaning. */
const foreignToHosts = /[\0-,/:-@[-^`{-\x7f]/;

/** Returns the A-label of a domain, or the lower-case text if IDNA refuses it. */
function canonicalDomain(text: string): string {
  const lower = lowerAscii(text);
  // domainToASCII() uses the URL parser, which also unescapes `%61` and reads `127.1` as an IP address.
  if (ascii.test(lower) || foreignToHosts.test(lower)) return lower;
  const label = domainToASCII(lower);
  return label === '' || isIP(label) !== 0 ? lower : label;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
