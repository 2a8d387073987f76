const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const leftToRight = /\p{L}|\p{N}/u;
const withoutSpaces = /[\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;

export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Whether a text has letters from left to right, or no letters and digits at all. */
export function isLeftToRight(text: string): boolean {
  return !rightToLeft.test(text) && leftToRight.test(text);
}

/** Whether a text has no spaces between words, as in Chinese and Japanese. */
export function isWithoutSpaces(text: string): boolean {
  return withoutSpaces.test(text);
}

/** Whether most of the words are written from right to left. */
export function readsRightToLeft(words: ReadonlyArray<{ text: string }>): boolean {
  let balance = 0;
  for (const { text } of words) balance += isRightToLeft(text) ? 1 : isLeftToRight(text) ? -1 : 0;
  return balance > 0;
}
