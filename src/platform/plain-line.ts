/** Letters of Hangul that are drawn as nothing. */
const drawnAsNothing = /[\u115f\u1160\u3164\uffa0]/gu;

/** Control characters, line breaks and invisible characters, but not the joiners of emoji and Persian. */
const invisible = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/u;

/** Whether a text has anything that can be seen. */
export function isVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text.replace(drawnAsNothing, '').replaceAll('\u2800', ''));
}

/** Whether a text has line breaks or characters that nobody can see. */
export function hasInvisible(text: string): boolean {
  return invisible.test(text);
}

/** Whether a text is one line that can be seen, without control and invisible characters. `lengthMax`: in code points. */
export function isPlainLine(text: string, lengthMax: number): boolean {
  return [...text].length <= lengthMax && isVisible(text) && !hasInvisible(text);
}
