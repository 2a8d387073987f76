/** Letters of Hangul and a symbol of Braille that are drawn as nothing. */
const drawnAsNothing = /[\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Control characters, line breaks and invisible characters, but not the joiners of emoji and Persian. */
const invisible = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/u;

/** Line breaks and control characters. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Whether a text has a letter, a number or a symbol that can be seen. */
export function isVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text.replace(drawnAsNothing, ''));
}

/** Whether nothing in a text can be seen. */
export function isBlank(text: string): boolean {
  return !isVisible(text) && !/\p{P}/u.test(text);
}

/** Returns a text on one line, with spaces for line breaks and control characters. */
export function onOneLine(text: string): string {
  return text.replace(breaks, ' ');
}

/** Whether a text has line breaks or characters that nobody can see. */
export function hasInvisible(text: string): boolean {
  return invisible.test(text);
}

/** Whether a text is one line that can be seen, without control and invisible characters. `lengthMax`: in code points. */
export function isPlainLine(text: string, lengthMax: number): boolean {
  return [...text].length <= lengthMax && isVisible(text) && !hasInvisible(text);
}
