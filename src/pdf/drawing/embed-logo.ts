import type { PDF, PDFImage } from '@libpdf/core';
import { readPng } from '../png/read-png.ts';
import type { Block } from './block.ts';
import { embedPng } from './embed-png.ts';

/** A picture that was checked and written again. `bytes`: base64. */
export interface LogoFile {
  type: 'png' | 'jpeg';
  bytes: string;
}

/** The largest logo, in points, and the largest size of a pixel. */
const widthMax = 170;
const heightMax = 38;
const pointsPerPixelMax = 0.75;

/** Limits of a logo that was accepted. */
const pictureLimits = { bytesMax: 1024 * 1024, widthMax: 2000, heightMax: 1000 };

/** Embeds a logo. Null if it can't be drawn: a picture must never keep a document from being sealed. */
export function embedLogo(pdf: PDF, { type, bytes }: LogoFile): Block | null {
  try {
    const file = Buffer.from(bytes, 'base64');
    return logoBlock(type === 'jpeg' ? pdf.embedJpeg(file) : embedPng(pdf, readPng(file, pictureLimits)));
  } catch {
    return null;
  }
}

function logoBlock(image: PDFImage): Block {
  const scale = Math.min(widthMax / image.width, heightMax / image.height, pointsPerPixelMax);
  const size = { width: image.width * scale, height: image.height * scale };
  return { height: size.height, draw: (canvas, x, y) => canvas.image(image, { x, y, ...size }) };
}
