import type { PDF } from '@libpdf/core';
import { readPng } from '../png/read-png.ts';
import { embedPng } from './embed-png.ts';
import type { SignatureMark } from './signature-mark.ts';

/**
 * Makes a function that draws a stamp into the middle of an area, in its own colours and proportions. `png`: base64 of an image
 * accepted by `isPlausiblePng`.
 */
export function createStampMark(pdf: PDF, png: string): SignatureMark {
  const image = embedPng(pdf, readPng(Buffer.from(png, 'base64')));
  return (canvas, area) => {
    const scale = Math.min(area.width / image.width, area.height / image.height);
    const size = { width: image.width * scale, height: image.height * scale };
    const [x, y] = [area.x + (area.width - size.width) / 2, area.y + (area.height - size.height) / 2];
    canvas.image(image, { x, y, ...size });
  };
}
