/** Returns the digits of a phone number and its leading plus. SMS providers refuse spaces, brackets and dashes. */
export function dialable(number: string): string {
  const digits = number.normalize('NFKC').replace(/[^\d+]/g, '');
  const rest = digits.replace(/\+/g, '');
  if (digits.startsWith('+')) return `+${rest}`;
  return rest.startsWith('00') ? `+${rest.slice(2)}` : rest;
}
