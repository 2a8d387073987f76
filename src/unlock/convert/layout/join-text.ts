import { isLeftToRight, isRightToLeft, isWithoutSpaces, readsRightToLeft } from './scripts.ts';
import type { Word } from './word.ts';

const softHyphen = '\u00ad';

export interface LineText {
  text: string;
  rtl: boolean;
}

/** Joins the words of a line from left to right, or from right to left on a mirrored page. */
export function textOfWords(words: readonly Word[], isMirrored: boolean): LineText {
  const rtl = readsRightToLeft(words);
  const fromItsStart = rtl === isMirrored ? words : words.toReversed();
  return { text: join(asRead(fromItsStart, rtl).map(({ text }) => text)), rtl };
}

/** Joins consecutive lines. Drops a hyphen that divides a word at the end of a line. */
export function joinLines(lines: readonly string[]): string {
  const joined = join(lines);
  return joined.endsWith(softHyphen) ? `${joined.slice(0, -1)}-` : joined;
}

function join(parts: readonly string[]): string {
  let joined = '';
  for (const part of parts) {
    if (joined === '') joined = part;
    else if (joined.endsWith(softHyphen)) joined = joined.slice(0, -1) + part;
    else if (isWithoutSpaces(joined.slice(-1)) && isWithoutSpaces(part.slice(0, 1))) joined += part;
    else joined += ` ${part}`;
  }
  return joined;
}

/** Puts words in reading order. Words of the other direction, such as Latin names and numbers, are in reverse order. */
function asRead(words: readonly Word[], rtl: boolean): Word[] {
  const isOther = rtl ? isLeftToRight : isRightToLeft;
  const read: Word[] = [];
  let turned: Word[] = [];
  for (const word of words) {
    if (isOther(word.text)) turned.unshift(word);
    else {
      read.push(...turned, word);
      turned = [];
    }
  }
  return [...read, ...turned];
}
