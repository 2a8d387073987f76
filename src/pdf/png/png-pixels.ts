import { type Png, samplesOf } from './read-png.ts';

/** Reverses the row filters of the PNG specification, section 9. */
export function unfilter(png: Png): Uint8Array {
  const raw = new Uint8Array(png.rowBytes * png.height);
  let at = 0;
  for (const row of unfilteredRows(png)) {
    raw.set(row, at);
    at += png.rowBytes;
  }
  return raw;
}

/** Yields the rows as `unfilter` returns them, from the top, so that a reader can stop before the last one. */
export function* unfilteredRows({ rows, rowBytes, bitDepth, colourType }: Png): Generator<Uint8Array> {
  const pixelBytes = Math.max(1, (samplesOf(colourType) * bitDepth) >> 3);
  let above = new Uint8Array(rowBytes);
  for (let at = 0; at < rows.length; at += rowBytes + 1) {
    const row = new Uint8Array(rows.subarray(at + 1, at + 1 + rowBytes));
    reverseFilter(rows[at] ?? 0, row, above, pixelBytes);
    yield row;
    above = row;
  }
}

function reverseFilter(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  if (filter === 0) return;
  for (let x = 0; x < row.length; x++) {
    const left = x < pixelBytes ? 0 : (row[x - pixelBytes] ?? 0);
    const corner = x < pixelBytes ? 0 : (above[x - pixelBytes] ?? 0);
    row[x] = (row[x] ?? 0) + predict(filter, left, above[x] ?? 0, corner);
  }
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const estimate = left + above - corner;
  const toLeft = Math.abs(estimate - left);
  const toAbove = Math.abs(estimate - above);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

export type Rgba = [red: number, green: number, blue: number, alpha: number];

/** Returns the colour of a pixel. `raw`: the rows without filters. */
export function colourAt(png: Png, raw: Uint8Array, x: number, y: number): Rgba {
  const { bitDepth, colourType, palette, transparency } = png;
  const samples = samplesOf(colourType);
  const sample = (index: number) => sampleAt(png, raw, y, x * samples + index);
  const byte = (index: number) => scaled(sample(index), bitDepth);
  switch (colourType) {
    case 0:
      return [byte(0), byte(0), byte(0), isKeyedOut(transparency, [sample(0)]) ? 0 : 255];
    case 2:
      return [byte(0), byte(1), byte(2), isKeyedOut(transparency, [sample(0), sample(1), sample(2)]) ? 0 : 255];
    case 3: {
      const [red = 0, green = 0, blue = 0] = palette.subarray(sample(0) * 3);
      return [red, green, blue, transparency[sample(0)] ?? 255];
    }
    case 4:
      return [byte(0), byte(0), byte(0), byte(1)];
    case 6:
      return [byte(0), byte(1), byte(2), byte(3)];
  }
}

/** Returns all pixels as RGBA. A photo has millions of them, so none costs an array of its own, as with `colourAt`. */
export function rgbaOf(png: Png, raw: Uint8Array): Uint8Array {
  const { width, height, bitDepth, colourType, rowBytes } = png;
  const data = new Uint8Array(width * height * 4);
  if (bitDepth < 8 || colourType === 3) return fillFromTable(png, raw, data);
  const samples = samplesOf(colourType);
  const step = bitDepth >> 3;
  const [green, blue] = samples < 3 ? [0, 0] : [step, 2 * step];
  const alpha = samples % 2 === 0 ? (samples - 1) * step : null;
  const key = keyBytes(png);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, at = y * rowBytes; x < width; x++, at += samples * step, to += 4) {
      data[to] = raw[at] ?? 0;
      data[to + 1] = raw[at + green] ?? 0;
      data[to + 2] = raw[at + blue] ?? 0;
      data[to + 3] = alpha !== null ? (raw[at + alpha] ?? 0) : key?.every((byte, i) => raw[at + i] === byte) ? 0 : 255;
    }
  }
  return data;
}

/** Fills in pixels of one sample of at most 8 bits, which can have few colours. */
function fillFromTable(png: Png, raw: Uint8Array, data: Uint8Array): Uint8Array {
  const { width, height, bitDepth, rowBytes } = png;
  const perByte = 8 / bitDepth;
  const mask = (1 << bitDepth) - 1;
  const dot = { ...png, width: 1, height: 1, rowBytes: 1 };
  const table = Uint8Array.from(
    Array.from({ length: mask + 1 }, (_, value) => colourAt(dot, Uint8Array.of(value << (8 - bitDepth)), 0, 0)).flat(),
  );
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) {
      const byte = raw[y * rowBytes + Math.floor(x / perByte)] ?? 0;
      const from = ((byte >> (8 - bitDepth * ((x % perByte) + 1))) & mask) * 4;
      for (let i = 0; i < 4; i++) data[to + i] = table[from + i] ?? 0;
    }
  }
  return data;
}

/** The bytes of a pixel that tRNS declares transparent. Null: none is. */
function keyBytes({ bitDepth, colourType, transparency }: Png): Uint8Array | null {
  const samples = samplesOf(colourType);
  if ((colourType !== 0 && colourType !== 2) || transparency.length < samples * 2) return null;
  if (bitDepth === 16) return transparency.subarray(0, samples * 2);
  const key = Array.from({ length: samples }, (_, i) => transparency.readUInt16BE(i * 2));
  return key.some((value) => value > 0xff) ? null : Uint8Array.from(key);
}

function sampleAt({ bitDepth, rowBytes }: Png, raw: Uint8Array, y: number, index: number): number {
  const row = y * rowBytes;
  if (bitDepth === 8) return raw[row + index] ?? 0;
  if (bitDepth === 16) return ((raw[row + index * 2] ?? 0) << 8) | (raw[row + index * 2 + 1] ?? 0);
  const bit = index * bitDepth;
  return ((raw[row + (bit >> 3)] ?? 0) >> (8 - bitDepth - (bit & 7))) & ((1 << bitDepth) - 1);
}

function scaled(sample: number, bitDepth: number): number {
  return bitDepth === 16 ? sample >> 8 : Math.round((sample * 255) / ((1 << bitDepth) - 1));
}

/** Whether tRNS declares a colour transparent. Without a palette it contains one colour, with two bytes per sample. */
function isKeyedOut(transparency: Buffer, samples: number[]): boolean {
  return (
    transparency.length >= samples.length * 2 && samples.every((value, i) => transparency.readUInt16BE(i * 2) === value)
  );
}
