import { expect, test } from 'vitest';
import { colourAt, rgbaOf } from './png-pixels.ts';
import { type ColourType, type Png, samplesOf } from './read-png.ts';

const kinds: [colourType: ColourType, bitDepth: number, transparency: number[]][] = [
  ...[1, 2, 4, 8, 16].map((depth): [ColourType, number, number[]] => [0, depth, [0, 1]]),
  [0, 8, [1, 1]], // no sample has this value
  [2, 8, [0, 7, 0, 8, 0, 9]],
  [2, 16, [7, 8, 9, 10, 11, 12]],
  ...[1, 2, 4, 8].map((depth): [ColourType, number, number[]] => [3, depth, [0, 128]]),
  ...[8, 16].flatMap((depth): [ColourType, number, number[]][] => [
    [4, depth, []],
    [6, depth, []],
    [2, depth, []],
  ]),
];

test('all pixels of a picture at once are the same as one by one, for each kind of PNG', () => {
  const [width, height] = [13, 5];
  for (const [colourType, bitDepth, transparency] of kinds) {
    const rowBytes = Math.ceil((width * samplesOf(colourType) * bitDepth) / 8);
    const palette = Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const sizes = { width, height, rowBytes, rows: Buffer.alloc(0) };
    const png: Png = { ...sizes, bitDepth, colourType, palette, transparency: Buffer.from(transparency) };
    const raw = Uint8Array.from({ length: rowBytes * height }, (_, at) => at * 37 + (at >> 3));
    raw.set(transparency.filter((_, at) => bitDepth === 16 || at % 2 === 1));
    const each = Array.from({ length: width * height }, (_, at) =>
      colourAt(png, raw, at % width, Math.floor(at / width)),
    );
    expect([...rgbaOf(png, raw)], `${colourType} ${bitDepth}`).toEqual(each.flat());
  }
});
