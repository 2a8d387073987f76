/** Keyword for what the API's description shows in place of a `pattern` that only JavaScript understands. */
export const portablePatternKeyword = 'x-portable-pattern';

/**
 * A `pattern` for a schema that validates by `exact`, in JavaScript's syntax. The description of the API shows `portable`
 * instead, or no pattern when it is null: Go's RE2 and Python's `re` have no look-around and no lone surrogates. It
 * accepts at least what `exact` does, and the schema's description says the rest in words.
 */
export function exactPattern(exact: string, portable: string | null): { pattern: string } {
  return { pattern: exact, [portablePatternKeyword]: portable } as { pattern: string };
}
