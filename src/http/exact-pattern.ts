/** Keyword for the pattern that the API description shows instead of a JavaScript-only `pattern`. */
export const portablePatternKeyword = 'x-portable-pattern';

/**
 * Creates a schema `pattern` that validates with `exact`, in JavaScript's syntax. The API description shows `portable`
 * instead, or no pattern if it is null. Go's RE2 and Python's `re` have no look-around and no lone surrogates.
 * `portable` must accept everything that `exact` accepts.
 */
export function exactPattern(exact: string, portable: string | null): { pattern: string } {
  return { pattern: exact, [portablePatternKeyword]: portable } as { pattern: string };
}
