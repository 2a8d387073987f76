/** An object of the vendor's, of which nothing is known but what is looked at. */
export type VendorObject = Record<string, unknown>;

/** RFC 3339 in UTC with milliseconds, of the years that the database and RFC 3339 know; the vendor writes seven digits. */
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
