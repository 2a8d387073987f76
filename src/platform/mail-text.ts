/**
 * Direction controls: embeddings, overrides, isolates and marks. A name with one could reorder the text around it or
 * imitate another name.
 */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Line ends and control characters, with the white space around them. */
const breaks = /\s*[\p{Cc}\u2028\u2029]+\s*/gu;

/** Returns text for a header or another single line, without control characters or lone surrogates. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').trim();
}

export function withoutDirectionControls(text: string): string {
  return text.replace(directionControls, '');
}
