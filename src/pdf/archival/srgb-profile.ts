/**
 * Makes an ICC profile of the sRGB colour space (IEC 61966-2-1), version 2.1, in about 1 KB. Readers older than profiles of version 4
 * understand it too. Byte layout: ICC.1:1998-09. The numbers are published facts, so the profile carries no licence of its own.
 */
export function srgbProfile(): Buffer {
  const tags: Array<[signatures: string[], data: Buffer]> = [
    [['desc'], description('sRGB')],
    [['cprt'], Buffer.concat([type('text'), Buffer.from('Public domain\0', 'latin1')])],
    [['wtpt'], xyz(whitePoint)],
    [['rXYZ'], xyz([0.43607, 0.22249, 0.01392])],
    [['gXYZ'], xyz([0.38515, 0.71687, 0.09708])],
    [['bXYZ'], xyz([0.14307, 0.06061, 0.7141])],
    [['rTRC', 'gTRC', 'bTRC'], curve()],
  ];
  const count = tags.reduce((sum, [signatures]) => sum + signatures.length, 0);
  const table = Buffer.alloc(4 + 12 * count);
  table.writeUInt32BE(count);
  const parts: Buffer[] = [];
  let [at, entry] = [headerBytes + table.length, 4];
  for (const [signatures, data] of tags) {
    for (const signature of signatures) {
      table.write(signature, entry, 'latin1');
      table.writeUInt32BE(at, entry + 4);
      table.writeUInt32BE(data.length, entry + 8);
      entry += 12;
    }
    const padded = Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
    parts.push(padded);
    at += padded.length;
  }
  return Buffer.concat([header(at), table, ...parts]);
}

/** Identifies the colours of the profile in an output intent. */
export const srgbName = 'sRGB IEC61966-2.1';

const headerBytes = 128;
/** The illuminant D50, to which ICC profiles adapt all colours. */
const whitePoint = [0.9642, 1, 0.8249] as const;

/** A profile for displays, from RGB to XYZ. Its date is fixed, so that equal documents have equal bytes. */
function header(bytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(bytes, 0);
  header.writeUInt32BE(0x02100000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  for (const [i, part] of [2026, 1, 1].entries()) header.writeUInt16BE(part, 24 + 2 * i);
  header.write('acsp', 36, 'latin1');
  for (const [i, value] of whitePoint.entries()) header.writeInt32BE(fixed(value), 68 + 4 * i);
  return header;
}

/** The text in ASCII, with empty Unicode and Macintosh texts, which the format demands. */
function description(text: string): Buffer {
  const ascii = Buffer.from(`${text}\0`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(ascii.length);
  return Buffer.concat([type('desc'), length, ascii, Buffer.alloc(4 + 4 + 2 + 1 + 67)]);
}

function xyz(values: readonly number[]): Buffer {
  const numbers = Buffer.alloc(12);
  for (const [i, value] of values.entries()) numbers.writeInt32BE(fixed(value), 4 * i);
  return Buffer.concat([type('XYZ '), numbers]);
}

/** The transfer function from stored to linear values, as a table. Values between two entries are interpolated. */
function curve(): Buffer {
  const entries = 256;
  const table = Buffer.alloc(4 + 2 * entries);
  table.writeUInt32BE(entries);
  for (let i = 0; i < entries; i++) {
    const stored = i / (entries - 1);
    const linear = stored <= 0.04045 ? stored / 12.92 : ((stored + 0.055) / 1.055) ** 2.4;
    table.writeUInt16BE(Math.round(linear * 65_535), 4 + 2 * i);
  }
  return Buffer.concat([type('curv'), table]);
}

/** A type signature and the reserved bytes after it. */
function type(signature: string): Buffer {
  return Buffer.from(`${signature}\0\0\0\0`, 'latin1');
}

/** The number format of ICC profiles: 16 bits before and 16 bits after the point. */
function fixed(value: number): number {
  return Math.round(value * 65_536);
}
