import { type PDF, PDFImage } from '@libpdf/core';
import { colourAt, unfilter } from '../png/png-pixels.ts';
import { readPng } from '../png/read-png.ts';
import type { Block } from './block.ts';
import { imageStream } from './image-stream.ts';

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
    return logoBlock(type === 'jpeg' ? pdf.embedJpeg(file) : embedPng(pdf, file));
  } catch {
    return null;
  }
}

function logoBlock(image: PDFImage): Block {
  const scale = Math.min(widthMax / image.width, heightMax / image.height, pointsPerPixelMax);
  const size = { width: image.width * scale, height: image.height * scale };
  return { height: size.height, draw: (canvas, x, y) => canvas.image(image, { x, y, ...size }) };
}

/** Embeds the colours of a PNG, with its transparency as a mask if it has some. */
function embedPng(pdf: PDF, file: Buffer): PDFImage {
  const png = readPng(file, pictureLimits);
  const { width, height } = png;
  const raw = unfilter(png);
  const [rgb, opacity] = [Buffer.alloc(width * height * 3), Buffer.alloc(width * height)];
  let isTransparent = false;
  for (let at = 0; at < opacity.length; at++) {
    const [red, green, blue, alpha] = colourAt(png, raw, at % width, Math.floor(at / width));
    rgb.set([red, green, blue], at * 3);
    opacity[at] = alpha;
    if (alpha < 255) isTransparent = true;
  }
  const image = imageStream(png, 'DeviceRGB', rgb);
  if (isTransparent) image.set('SMask', pdf.register(imageStream(png, 'DeviceGray', opacity)));
  return new PDFImage(pdf.register(image), width, height);
}
