/** Kinds of bytes. A byte of kind `other` ends the current candidate. */
const [other, space, lineEnd, digit, sign, percent] = [0, 1, 2, 3, 4, 5];
const kinds = new Uint8Array(256);
for (const byte of [0, 9, 12, 32, 0x80, 0xff]) kinds[byte] = space; // only PDFium treats the last two as white space
for (const byte of [10, 13]) kinds[byte] = lineEnd;
for (const byte of Buffer.from('0123456789')) kinds[byte] = digit;
for (const byte of Buffer.from('+-.')) kinds[byte] = sign;
kinds[Buffer.from('%')[0] ?? 0] = percent;

const letterR = 0x52;

/** PDFium truncates longer words. */
const wordBytesMax = 255;
/** Twice the PDFium limit, because other readers accept more objects. */
const numberMax = 8 * 1024 * 1024;

/**
 * Returns the highest object number in anything that a reader may take for a reference (`12 0 R`) or for the start of an
 * object (`12 0 obj`). Returns 0 when there is none. White space and comments of any length may separate the parts, and
 * numbers may have signs and fractions. The search is one pass: it tracks the highest number that could still become a
 * reference. `onObject` receives the offset after each `obj`.
 */
export function highestReference(bytes: Uint8Array, onObject: (at: number) => void = () => {}): number {
  let highest = 0;
  // States: in a number, in the gap after it, in a generation, in the gap after that. Each holds its highest number, or -1.
  let [word, gap, generation, secondGap] = [-1, -1, -1, -1];
  // The same two gaps, inside a comment.
  let [gapComment, secondComment] = [-1, -1];
  let [value, length] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const kind = kinds[byte] ?? other;
    if (kind === digit || kind === sign) {
      if (word === -1) {
        generation = gap;
        [gap, secondGap, word, value, length] = [-1, -1, 0, 0, 0];
      }
      length += 1;
      if (kind === sign || length === wordBytesMax || length === wordBytesMax + 1) word = Math.max(word, valid(value));
      value = kind === sign ? 0 : (value * 10 + byte - 48) % 2 ** 32;
      continue;
    }
    if (word !== -1) word = Math.max(word, valid(value));
    if (kind === other) {
      if (secondGap !== -1 && isEnd(bytes, at)) {
        highest = Math.max(highest, secondGap);
        if (byte !== letterR) onObject(at + 3);
      }
      word = gap = generation = secondGap = -1;
      continue;
    }
    gap = Math.max(gap, word);
    secondGap = Math.max(secondGap, generation);
    word = generation = -1;
    if (kind === percent) {
      gapComment = Math.max(gapComment, gap);
      secondComment = Math.max(secondComment, secondGap);
      gap = secondGap = -1;
    } else if (kind === lineEnd) {
      gap = Math.max(gap, gapComment);
      secondGap = Math.max(secondGap, secondComment);
      gapComment = secondComment = -1;
    }
  }
  return highest;
}

/** Whether `R` or `obj` starts at this offset. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === letterR || (bytes[at] === 0x6f && bytes[at + 1] === 0x62 && bytes[at + 2] === 0x6a);
}

/** Returns 0 for a number that is too large to refer to an object. */
function valid(number: number): number {
  return number <= numberMax ? number : 0;
}
