import type { Word } from './word.ts';

/** The style of most of a document's text, and the larger sizes of its headings. */
export interface BodyStyle {
  size: number;
  bold: boolean;
  /** Largest first. */
  headingSizes: number[];
}

const headingRatio = 1.15;
/** Sizes with a higher ratio belong to the same level. */
const alike = 0.95;
const levelsMax = 4;

/** Counts the letters of each style. Pages are added one by one, so that a book is never in memory as a whole. */
export function createStyleCount() {
  const letters = new Map<string, number>();
  return {
    add(words: readonly Word[]): void {
      for (const { text, size, bold } of words) {
        const key = `${Math.round(size * 2) / 2} ${bold}`;
        letters.set(key, (letters.get(key) ?? 0) + text.length);
      }
    },
    result: (): BodyStyle => styleOf(letters),
  };
}

function styleOf(letters: ReadonlyMap<string, number>): BodyStyle {
  const counted = [...letters].map(([key, count]) => {
    const [size, bold] = key.split(' ');
    return { size: Number(size), bold: bold === 'true', count };
  });
  const most = counted.reduce((best, one) => (one.count > best.count ? one : best), {
    size: 10,
    bold: false,
    count: 0,
  });
  const headingSizes: number[] = [];
  const larger = counted.map(({ size }) => size).filter((size) => size >= most.size * headingRatio);
  for (const size of larger.sort((a, b) => b - a)) {
    const last = headingSizes.at(-1);
    if (last === undefined || size < last * alike) headingSizes.push(size);
  }
  return { size: most.size, bold: most.bold, headingSizes };
}

/** Returns the heading level of a line, from 1. Null for a line in the style of the body. */
export function headingLevel(body: BodyStyle, line: { size: number; bold: boolean }): number | null {
  if (line.size >= body.size * headingRatio) {
    const rank = body.headingSizes.filter((size) => size * alike > line.size).length;
    return Math.min(rank + 1, levelsMax);
  }
  const standsOut = line.bold && !body.bold && line.size >= body.size * alike;
  return standsOut ? Math.min(body.headingSizes.length, levelsMax) + 1 : null;
}
