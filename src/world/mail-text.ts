/** Embeddings, overrides, isolates and marks: with them a name could turn the words around it, or pose as another. */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Line ends of every kind and control characters, with the white space around them. */
const breaks = /\s*[\p{Cc}\u2028\u2029]+\s*/gu;

/** Text for a header or any other single line: no control character is left in it, and no half of a surrogate pair. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').trim();
}

export function withoutDirectionControls(text: string): string {
  return text.replace(directionControls, '');
}
