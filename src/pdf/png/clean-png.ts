import { deflateSync } from 'node:zlib';
import { pngChunk, pngSignature } from './encode-png.ts';
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
    pngChunk('IHDR', headerOf(png)),
    ...(png.colourType === 3 ? [pngChunk('PLTE', paletteOf(png))] : []),
    ...transparencyOf(png).map((content) => pngChunk('tRNS', content)),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ];
  return { bytes: Buffer.concat([pngSignature, ...chunks]), width, height };
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
