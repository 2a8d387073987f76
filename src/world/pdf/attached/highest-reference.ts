/** The kinds of bytes: others end whatever was begun. */
const [other, space, lineEnd, digit, sign, percent] = [0, 1, 2, 3, 4, 5];
const kinds = new Uint8Array(256);
for (const byte of [0, 9, 12, 32, 0x80, 0xff]) kinds[byte] = space; // the last two for PDFium only
for (const byte of [10, 13]) kinds[byte] = lineEnd;
for (const byte of Buffer.from('0123456789')) kinds[byte] = digit;
for (const byte of Buffer.from('+-.')) kinds[byte] = sign;
kinds[Buffer.from('%')[0] ?? 0] = percent;

const letterR = 0x52;

/** PDFium cuts longer words off. */
const wordBytesMax = 255;
/** Twice as many objects as PDFium reads: other readers read more. */
const numberMax = 8 * 1024 * 1024;

/**
 * The highest object number in what any reader may take for a reference (`12 0 R`) or the beginning of an object
 * (`12 0 obj`), 0 for none. White space and comments of any length may stand between the parts, and numbers may have
 * signs and fractions. One pass: at each byte it knows the highest number that could still become one. `onObject` gets the
 * offset behind each `obj`.
 */
export function highestReference(bytes: Uint8Array, onObject: (at: number) => void = () => {}): number {
  let highest = 0;
  // A number, the gap behind it, a generation, and the gap behind that: the highest object number of each, or -1.
  let [word, gap, generation, secondGap] = [-1, -1, -1, -1];
  // The same within a comment in a gap.
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

/** `R` or `obj`. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === letterR || (bytes[at] === 0x6f && bytes[at + 1] === 0x62 && bytes[at + 2] === 0x6a);
}

/** A number that is too large refers to nothing, except in a reader that cuts it off after 32 bits. */
function valid(number: number): number {
  return number <= numberMax ? number : 0;
}
