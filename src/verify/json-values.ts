/** Returns a value of a stranger's JSON with its type checked. Throws when it has another type. */
export function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return value as Record<string, unknown>;
}

export function asArray(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('not an array');
  return value;
}

export function asText(value: unknown): string {
  if (typeof value !== 'string') throw new Error('not a text');
  return value;
}
