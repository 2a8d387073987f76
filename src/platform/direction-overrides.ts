/** Embeddings, overrides and isolates. */
const overrides = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes characters that change the direction of what follows, because they could make a text read differently. Pages show what
 * is signed as the sealed PDF draws it.
 */
export function withoutDirectionOverrides(text: string): string {
  return text.replace(overrides, '');
}
