import { type PDF, PDFImage } from '@libpdf/core';
import { colourAt, unfilter } from '../png/png-pixels.ts';
import type { Png } from '../png/read-png.ts';
import { imageStream } from './image-stream.ts';

/** Embeds the colours of a PNG, with its transparency as a mask if it has some. */
export function embedPng(pdf: PDF, png: Png): PDFImage {
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
