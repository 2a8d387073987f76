/** An object in the vendor's answer. Each property is checked where it is read. */
export type VendorObject = Record<string, unknown>;

/**
 * Returns the time as RFC 3339 in UTC with milliseconds, or null. The vendor writes seven fractional digits. Years outside
 * 1 to 9999 are refused: RFC 3339 and the database don't have them.
 */
export function instant(given: unknown): string | null {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(given)) return null;
  const time = new Date(given);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time.toISOString() : null;
}

export function text(given: unknown): string | null {
  return typeof given === 'string' ? given : null;
}

export function isObject(given: unknown): given is VendorObject {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
