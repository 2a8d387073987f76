import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cleanJpeg } from '../jpeg/clean-jpeg.ts';
import type { Pdfium } from '../pdfium/load-pdfium.ts';
import { openBytes } from '../pdfium/open-document.ts';
import { pagePixels } from '../pdfium/render-page.ts';
import { pngSignature } from '../png/encode-png.ts';
import { rgbaOf, unfilter } from '../png/png-pixels.ts';
import { readPng } from '../png/read-png.ts';
import { exifOrientation } from './exif-orientation.ts';
import { type Pixels, turnPixels } from './scale-pixels.ts';

/** Limits of an untrusted picture: the photos of most phones, in bytes and pixels. */
const bytesMax = 10 * 1024 * 1024;
const sideMax = 12_000;
const pixelsMax = 50_000_000;
const limits = { bytesMax, widthMax: sideMax, heightMax: sideMax };

/** The longest side, in pixels, in which a JPEG is decoded. */
const renderedSideMax = 1200;

/** Decodes an untrusted PNG, JPEG or WebP. Throws if it is damaged, of another kind or too large. */
export async function decodePicture(pdfium: Pdfium, bytes: Buffer): Promise<Pixels> {
  if (bytes.length > bytesMax) throw new Error(`the picture is larger than ${bytesMax} bytes`);
  if (bytes.subarray(0, 8).equals(pngSignature)) return decodePng(bytes);
  if (bytes[0] === 0xff) return decodeJpeg(pdfium, bytes);
  return decodeWebp(bytes);
}

function decodePng(bytes: Buffer): Pixels {
  // The header is the first chunk, at a fixed place.
  assertSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  const png = readPng(bytes, limits);
  const { width, height } = png;
  return { data: rgbaOf(png, unfilter(png)), width, height };
}

/** Decodes a JPEG on the page of a PDF, which is made for it. */
function decodeJpeg(pdfium: Pdfium, bytes: Buffer): Pixels {
  const orientation = exifOrientation(bytes);
  const { bytes: jpeg, width, height } = cleanJpeg(bytes, limits);
  assertSize(width, height);
  const scale = Math.min(1, renderedSideMax / Math.max(width, height));
  const page = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const document = openBytes(pdfium, pageOf(jpeg, { width, height }, page));
  if (typeof document === 'string') throw new Error(`the JPEG cannot be read: ${document}`);
  try {
    const { pixels, ...size } = pagePixels(document, 1, page.width);
    return turnPixels({ data: new Uint8Array(pixels.buffer), ...size }, orientation);
  } finally {
    document.close();
  }
}

interface Size {
  width: number;
  height: number;
}

function pageOf(jpeg: Buffer, size: Size, page: Size): Buffer {
  const content = `${page.width} 0 0 ${page.height} 0 0 cm /I Do`;
  const colours = isGrey(jpeg) ? 'DeviceGray' : 'DeviceRGB';
  const image = `/Type/XObject/Subtype/Image/Width ${size.width}/Height ${size.height}/BitsPerComponent 8/ColorSpace/${colours}`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${page.width} ${page.height}]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>`,
    Buffer.concat([
      Buffer.from(`<<${image}/Filter/DCTDecode/Length ${jpeg.length}>>\nstream\n`),
      jpeg,
      Buffer.from('\nendstream'),
    ]),
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = 9;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    offsets.push(length);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...parts, Buffer.from(table)]);
}

/** Whether the frame of a JPEG has one component. */
function isGrey(jpeg: Buffer): boolean {
  for (let at = 2; at + 9 < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const kind = jpeg[at + 1] ?? 0;
    if (kind >= 0xc0 && kind <= 0xc2) return jpeg[at + 9] === 1;
  }
  return false;
}

type Decoder = { decode(data: Uint8Array): { data: Uint8ClampedArray; width: number; height: number } | null };

async function decodeWebp(bytes: Buffer): Promise<Pixels> {
  assertSize(...webpSize(bytes));
  const { default: start } = await import('@jsquash/webp/codec/dec/webp_dec.js');
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')));
  const decoded = ((await start({ wasmBinary, noInitialRun: true })) as Decoder).decode(bytes);
  if (decoded === null) throw new Error('the WebP is damaged');
  assertSize(decoded.width, decoded.height);
  return { ...decoded, data: new Uint8Array(decoded.data) };
}

/** Reads the size from the header of a WebP: lossy, lossless or extended. */
function webpSize(bytes: Buffer): [width: number, height: number] {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') {
    throw new Error('the picture is not a PNG, JPEG or WebP');
  }
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

function assertSize(width: number, height: number): void {
  if (width < 1 || height < 1 || Math.max(width, height) > sideMax || width * height > pixelsMax) {
    throw new Error(`the picture of ${width} × ${height} pixels is too large`);
  }
}
