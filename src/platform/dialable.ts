/** Returns the digits of a phone number and its leading plus. SMS providers refuse spaces, brackets and dashes. */
export function dialable(number: string): string {
  const digits = number.normalize('NFKC').replace(/[^\d+]/g, '');
  const rest = digits.replace(/\+/g, '');
  if (digits.startsWith('+')) return `+${rest}`;
  return rest.startsWith('00') ? `+${rest.slice(2)}` : rest;
}

/** Returns the number that someone typed with its country code, as it is dialled. Null for anything else. */
export function readInternationalNumber(typed: string): string | null {
  const plain = typed.normalize('NFKC').replace(separators, '');
  return /^(?:\+|00)\d{7,15}$/.test(plain) ? dialable(plain) : null;
}

/** Characters that people write in numbers, and invisible marks that are pasted along with them. */
const separators = /[\s\p{Pd}\p{Cf}\u2212()./]/gu;

/** Whether two numbers are dialled the same way, however they are written. */
export function isSameNumber(number: string, other: string): boolean {
  const dialled = dialable(number);
  return number === other || (/\d/.test(dialled) && dialled === dialable(other));
}
