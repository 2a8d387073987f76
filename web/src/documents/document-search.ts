/** What the address of the list holds: search words and a status, from a cursor on. */
export interface DocumentSearch {
  q?: string;
  status?: string;
  after?: string;
}

/** Reads the address of the list. Ignores what is not text. */
export function readDocumentSearch({ q, status, after }: Record<string, unknown>): DocumentSearch {
  const isGiven = (value: unknown): value is string => typeof value === 'string' && value !== '';
  return {
    ...(isGiven(q) ? { q } : {}),
    ...(isGiven(status) ? { status } : {}),
    ...(isGiven(after) ? { after } : {}),
  };
}
