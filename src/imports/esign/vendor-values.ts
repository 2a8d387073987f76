import { parseInstant } from '../../platform/parse-instant.ts';

/** An object in the vendor's answer. Each property is checked where it is read. */
export type VendorObject = Record<string, unknown>;

/** Returns the time as RFC 3339 in UTC with milliseconds, or null. The vendor writes seven fractional digits. */
export function instant(given: unknown): string | null {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(given)) return null;
  return parseInstant(given)?.toISOString() ?? null;
}

export function text(given: unknown): string | null {
  return typeof given === 'string' ? given : null;
}

export function isObject(given: unknown): given is VendorObject {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
