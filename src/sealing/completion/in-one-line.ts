/**
 * Returns a text that people wrote with a space for each of its line breaks. A row of the certificate has a page at most, and
 * many short lines would run off it. The embedded files have the text as it was written.
 */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
