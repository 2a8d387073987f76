import { crc32, inflateSync } from 'node:zlib';

/** A checked PNG with decompressed pixels, before the row filters are reversed. */
export interface Png {
  width: number;
  height: number;
  bitDepth: number;
  colourType: ColourType;
  /** RGB triples of an image with a palette. */
  palette: Buffer;
  /** Content of the tRNS chunk: transparent colours. */
  transparency: Buffer;
  /** Rows from the top, each preceded by its filter byte. */
  rows: Buffer;
  /** Bytes of a row without its filter byte. */
  rowBytes: number;
}

/** Maximum size of an untrusted picture. */
export interface PictureLimits {
  bytesMax: number;
  /** In pixels. */
  widthMax: number;
  heightMax: number;
}

/** The limits of drawn signatures. */
const signatureLimits: PictureLimits = { bytesMax: 200 * 1024, widthMax: 2000, heightMax: 1000 };

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples of a pixel and the depths allowed, by colour type (PNG specification, 11.2.1). */
const colourTypes = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
} as const;
export type ColourType = keyof typeof colourTypes;

export function samplesOf(colourType: ColourType): number {
  return colourTypes[colourType].samples;
}

/**
 * Reads an untrusted PNG. Checks the size in bytes and pixels before decompression, limits decompression to the size in the
 * header, and checks all checksums. Refuses interlaced images, which no canvas makes.
 *
 * @throws when the image is invalid or too large. A returned image can always be decoded.
 */
export function readPng(bytes: Uint8Array, limits: PictureLimits = signatureLimits): Png {
  if (bytes.length > limits.bytesMax) throw new Error(`the image is larger than ${limits.bytesMax} bytes`);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, 8).equals(signature)) throw new Error('the image is not a PNG');

  const chunks = readChunks(file);
  const header = readHeader(chunks[0], limits);
  const palette = chunkNamed(chunks, 'PLTE');
  if (header.colourType === 3 && (palette.length === 0 || palette.length % 3 !== 0))
    throw new Error('the PNG has no palette');

  const rowBytes = Math.ceil((header.width * samplesOf(header.colourType) * header.bitDepth) / 8);
  const rows = unpack(chunks, (rowBytes + 1) * header.height);
  for (let at = 0; at < rows.length; at += rowBytes + 1) {
    if ((rows[at] ?? 0) > 4) throw new Error('the PNG uses an unknown filter');
  }
  return { ...header, palette, transparency: chunkNamed(chunks, 'tRNS'), rows, rowBytes };
}

interface Chunk {
  name: string;
  content: Buffer;
}

function readChunks(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length) break;
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4))
      throw new Error('a checksum of the PNG is wrong');
    chunks.push({ name: file.toString('latin1', at + 4, at + 8), content: file.subarray(at + 8, end - 4) });
    if (chunks.at(-1)?.name === 'IEND') return chunks;
    at = end;
  }
  throw new Error('the PNG is cut off');
}

function readHeader(
  chunk: Chunk | undefined,
  { widthMax, heightMax }: PictureLimits,
): Pick<Png, 'width' | 'height' | 'bitDepth' | 'colourType'> {
  if (chunk?.name !== 'IHDR' || chunk.content.length !== 13) throw new Error('the PNG has no header');
  const width = chunk.content.readUInt32BE(0);
  const height = chunk.content.readUInt32BE(4);
  const [bitDepth = 0, colourType = 1, compression, filter, interlace] = chunk.content.subarray(8);
  if (width < 1 || height < 1 || width > widthMax || height > heightMax) {
    throw new Error(`the PNG is not between 1 × 1 and ${widthMax} × ${heightMax} pixels`);
  }
  if (!isColourType(colourType) || !colourTypes[colourType].depths.some((depth) => depth === bitDepth)) {
    throw new Error('the PNG has an unknown colour type');
  }
  if (compression !== 0 || filter !== 0 || interlace !== 0)
    throw new Error('the PNG is interlaced or of an unknown kind');
  return { width, height, bitDepth, colourType };
}

function isColourType(value: number): value is ColourType {
  return value in colourTypes;
}

function chunkNamed(chunks: Chunk[], name: string): Buffer {
  return chunks.find((chunk) => chunk.name === name)?.content ?? Buffer.alloc(0);
}

function unpack(chunks: Chunk[], length: number): Buffer {
  const packed = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ content }) => content));
  const rows = inflateSync(packed, { maxOutputLength: length });
  if (rows.length !== length) throw new Error('the PNG has too few pixels');
  return rows;
}
