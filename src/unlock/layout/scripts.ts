const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const leftToRight = /\p{L}|\p{N}/u;
const withoutSpaces = /[\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;

export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Neither letters nor digits, or letters that are written from left to right. */
export function isLeftToRight(text: string): boolean {
  return !rightToLeft.test(text) && leftToRight.test(text);
}

/** Chinese and Japanese are written without spaces between words. */
export function isWithoutSpaces(text: string): boolean {
  return withoutSpaces.test(text);
}

/** Whether more of the words are written from right to left than the other way. */
export function readsRightToLeft(words: ReadonlyArray<{ text: string }>): boolean {
  let balance = 0;
  for (const { text } of words) balance += isRightToLeft(text) ? 1 : isLeftToRight(text) ? -1 : 0;
  return balance > 0;
}
