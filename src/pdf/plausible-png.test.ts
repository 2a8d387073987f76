import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawnSignature, makePng } from '../sealing/testing/sample-png.ts';
import { isPlausiblePng } from './plausible-png.ts';
import { hasInk, signatureInk } from './png/signature-ink.ts';

/** Two rows without filters, with equal bytes. */
function plainRows(rowBytes: number, value: number): Buffer {
  const row = Buffer.alloc(rowBytes + 1, value);
  row[0] = 0;
  return Buffer.concat([row, row]);
}

test('accepts images drawn by a browser, up to 2000 × 1000 pixels', () => {
  expect(isPlausiblePng(drawnSignature())).toBe(true);
  expect(isPlausiblePng(drawnSignature(2000, 1000))).toBe(true);
  expect(isPlausiblePng(drawnSignature(1, 1))).toBe(true);
});

test('refuses one pixel or one byte too many, before decompression', () => {
  expect(isPlausiblePng(makePng({ width: 2001, height: 1, rows: Buffer.alloc(8005) }))).toBe(false);
  expect(isPlausiblePng(makePng({ width: 1, height: 1001, rows: Buffer.alloc(5 * 1001) }))).toBe(false);
  const padded = (bytes: number) => makePng({ width: 1, height: 1, extra: [['tEXt', Buffer.alloc(bytes)]] });
  const overhead = padded(0).length;
  expect(isPlausiblePng(padded(200 * 1024 - overhead))).toBe(true);
  expect(isPlausiblePng(padded(200 * 1024 - overhead + 1))).toBe(false);
});

test('refuses data that only looks like a PNG', () => {
  const good = drawnSignature();
  const withoutEnd = good.subarray(0, good.length - 12);
  const wrongChecksum = Buffer.from(good);
  wrongChecksum[60] = (wrongChecksum[60] ?? 0) ^ 1;
  const refused: Array<[why: string, bytes: Uint8Array]> = [
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['a signature alone', good.subarray(0, 8)],
    ['no end', withoutEnd],
    ['a wrong checksum', wrongChecksum],
    ['no pixels at all', makePng({ width: 0, height: 10, rows: Buffer.alloc(10) })],
    ['too few pixels', makePng({ width: 10, height: 10, rows: Buffer.alloc(41 * 9) })],
    ['interlaced', makePng({ width: 10, height: 10, interlace: 1 })],
    ['an unknown colour type', makePng({ width: 10, height: 10, colourType: 5 })],
    ['a depth its colour type has not', makePng({ width: 10, height: 10, bitDepth: 4 })],
    ['a palette image without palette', makePng({ width: 8, height: 1, colourType: 3, rows: Buffer.alloc(9) })],
    ['an unknown filter', makePng({ width: 1, height: 1, rows: Buffer.from([5, 0, 0, 0, 0]) })],
  ];
  expect(refused.filter(([, bytes]) => isPlausiblePng(bytes)).map(([why]) => why)).toEqual([]);
});

test('a decompression bomb is limited to the size in its header', () => {
  const bomb = makePng({ width: 100, height: 100, rows: Buffer.alloc(150 * 2 ** 20) });
  expect(bomb.length).toBeLessThan(200 * 1024);
  const before = process.memoryUsage().rss;
  expect(isPlausiblePng(bomb)).toBe(false);
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20);
});

test('checking any bytes throws no error, and accepted images can be sealed', () => {
  const good = drawnSignature(40, 20);
  const damaged = fc.tuple(fc.nat(good.length - 1), fc.nat(255)).map(([at, value]) => {
    const bytes = Buffer.from(good);
    bytes[at] = value;
    return bytes;
  });
  const rows = fc.uint8Array({ minLength: 4 * 9, maxLength: 4 * 9 }).map((bytes) => {
    for (let at = 0; at < bytes.length; at += 9) bytes[at] = (bytes[at] ?? 0) % 5;
    return makePng({ width: 2, height: 4, rows: Buffer.from(bytes) });
  });
  fc.assert(
    fc.property(fc.oneof(damaged, rows, fc.uint8Array()), (bytes) => {
      if (isPlausiblePng(bytes)) signatureInk(bytes);
    }),
    { numRuns: 2000 },
  );
});

test('a picture has ink exactly if strokes are found in it', () => {
  const byte = fc.constantFrom(0, 11, 12, 128, 244, 255);
  const kind = fc.constantFrom<[colourType: number, samples: number]>([0, 1], [2, 3], [4, 2], [6, 4]);
  fc.assert(
    fc.property(kind, fc.array(byte, { minLength: 12, maxLength: 12 }), ([colourType, samples], bytes) => {
      const rows = Buffer.concat(
        [0, 4, 3].map((filter, y) => Buffer.from([filter, ...bytes.slice(y * samples, (y + 1) * samples)])),
      );
      const png = makePng({ width: 1, height: 3, colourType, rows });
      expect(hasInk(png)).toBe(signatureInk(png) !== null);
    }),
  );
  expect(hasInk(Buffer.from('hello'))).toBe(false);
});

test('strokes of any colour are extracted from the canvas', () => {
  const rows = Buffer.alloc((5 * 4 + 1) * 4);
  const white = [255, 255, 255, 200];
  rows.set(white, 21 + 1 + 4); // row 1, pixel 1
  rows.set(white, 42 + 1 + 12); // row 2, pixel 3
  expect(signatureInk(makePng({ width: 5, height: 4, rows }))).toEqual({
    width: 3,
    height: 2,
    coverage: Uint8Array.from([200, 0, 0, 0, 0, 200]),
  });
});

test('a canvas without strokes has no ink', () => {
  expect(signatureInk(makePng({ width: 9, height: 9, rows: Buffer.alloc(37 * 9) }))).toBeNull();
});

test('grey, palette and 16-bit images are read', () => {
  const black = (options: Parameters<typeof makePng>[0]) =>
    signatureInk(makePng(options))?.coverage.every((ink) => ink === 255);
  const white = (options: Parameters<typeof makePng>[0]) => signatureInk(makePng(options)) === null;
  const palette: [string, Buffer] = ['PLTE', Buffer.from([255, 255, 255, 0, 0, 0])];
  const size = { width: 8, height: 2 };
  expect(black({ ...size, colourType: 0, bitDepth: 1, rows: plainRows(1, 0) })).toBe(true);
  expect(white({ ...size, colourType: 0, bitDepth: 1, rows: plainRows(1, 255) })).toBe(true);
  expect(black({ ...size, colourType: 0, bitDepth: 16, rows: plainRows(16, 0) })).toBe(true);
  expect(black({ ...size, colourType: 2, bitDepth: 8, rows: plainRows(24, 0) })).toBe(true);
  expect(white({ ...size, colourType: 2, bitDepth: 16, rows: plainRows(48, 255) })).toBe(true);
  expect(black({ ...size, colourType: 3, bitDepth: 1, extra: [palette], rows: plainRows(1, 255) })).toBe(true);
  expect(white({ ...size, colourType: 3, bitDepth: 2, extra: [palette], rows: plainRows(2, 0) })).toBe(true);
  expect(white({ ...size, colourType: 4, bitDepth: 8, rows: plainRows(16, 0) })).toBe(true);
  const transparentBlack: [string, Buffer] = ['tRNS', Buffer.from([0, 0])];
  expect(white({ ...size, colourType: 0, bitDepth: 8, extra: [transparentBlack], rows: plainRows(8, 0) })).toBe(true);
});

test('all row filters are reversed', () => {
  // Five rows with two grey pixels, 10 and 20, each row with another filter.
  const rows = Buffer.from([0, 10, 20, 1, 10, 10, 2, 0, 0, 3, 5, 5, 4, 0, 0]);
  const ink = signatureInk(makePng({ width: 2, height: 5, colourType: 0, rows }));
  expect(ink?.coverage).toEqual(Uint8Array.from([245, 235, 245, 235, 245, 235, 245, 235, 245, 235]));
});
