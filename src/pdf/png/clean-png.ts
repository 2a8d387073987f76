import { crc32, deflateSync } from 'node:zlib';
import { type PictureLimits, type Png, readPng } from './read-png.ts';

/**
 * Checks an untrusted PNG and writes it again from its pixels, without any other content.
 *
 * @throws as `readPng` does.
 */
export function cleanPng(bytes: Uint8Array, limits: PictureLimits): { bytes: Buffer; width: number; height: number } {
  const png = readPng(bytes, limits);
  const { width, height, rows } = png;
  const chunks = [
    chunk('IHDR', headerOf(png)),
    ...(png.colourType === 3 ? [chunk('PLTE', paletteOf(png))] : []),
    ...transparencyOf(png).map((content) => chunk('tRNS', content)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return { bytes: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]), width, height };
}

function headerOf({ width, height, bitDepth, colourType }: Png): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType], 8);
  return header;
}

const paletteBytesMax = 3 * 256;

function paletteOf({ palette }: Png): Buffer {
  if (palette.length > paletteBytesMax) throw new Error('the palette of the PNG has too many colours');
  return palette;
}

/** Images with an alpha channel have no transparent colour. The others have one, or a value for each colour of the palette. */
function transparencyOf({ colourType, transparency, palette }: Png): Buffer[] {
  if (colourType === 4 || colourType === 6 || transparency.length === 0) return [];
  const isRight =
    colourType === 3 ? transparency.length <= palette.length / 3 : transparency.length === (colourType === 0 ? 2 : 6);
  if (!isRight) throw new Error('the PNG has a damaged transparency');
  return [transparency];
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
