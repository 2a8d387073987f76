/** Text sizes in points, as in the sealed PDF. */
const sizes = [11, 10, 9, 8, 7, 6, 5] as const;
const leadingFactor = 1.25;
/** Space at the sides of a field, in points. */
const inset = 4;

/**
 * Breaks a value into lines for a field on a page. Takes the largest text size with which all lines fit, by estimated widths,
 * because the browser's font is unknown here. The sealed PDF measures them.
 */
export function fitValue(
  value: string,
  width: number,
  height: number,
): { lines: string[]; size: number; leading: number } {
  for (const size of sizes) {
    const lines = value.split(/\r\n|[\n\r]/).flatMap((line) => wrap(line, (width - inset) / size));
    const isLast = size === sizes.at(-1);
    if (isLast || lines.length * size * leadingFactor <= Math.max(height, sizes[0])) {
      return { lines, size, leading: size * leadingFactor };
    }
  }
  throw new Error('the last size always fits');
}

/** Breaks at spaces, and within words that are too long. `room`: the width of a line, in multiples of the text size. */
function wrap(value: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of value.split(/(?<=\s)/)) {
    if (line !== '' && widthOf(line + word.trimEnd()) > room) {
      lines.push(line.trimEnd());
      line = '';
    }
    for (const letter of word) {
      if (line !== '' && widthOf(line + letter) > room && letter.trim() !== '') {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  lines.push(line.trimEnd());
  return lines;
}

/** Estimates the width of a text in multiples of its size. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text)
    width += /[\u2e80-\uffff\u{10000}-\u{10ffff}]/u.test(letter) ? 1 : /[\p{Lu}mwMW]/u.test(letter) ? 0.72 : 0.52;
  return width;
}
