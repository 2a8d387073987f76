import { readFile } from 'node:fs/promises';
import type { Pdfium } from '../pdfium/load-pdfium.ts';
import { encodePng } from '../png/encode-png.ts';
import { decodePicture } from './decode-picture.ts';
import { fitPixels, type Pixels } from './scale-pixels.ts';

/** A picture of a stamp as PNG, or that the file can't be one. */
export type StampPicture = { ok: true; png: Uint8Array } | { ok: false };

/** As the signing page's script makes it, `browser/picture.ts`. */
const sideMax = 600;
const bytesMax = 190 * 1024;
const backgroundFrom = 0.82;
const inkUpTo = 0.55;
/** Nobody sees a picture whose pixels are all less opaque. */
const opacityMin = 12;

/**
 * Makes the picture of a stamp from an untrusted image file, for pages without a script. A file of which only background remains is
 * none.
 */
export async function makeStamp(pdfium: Pdfium, path: string): Promise<StampPicture> {
  const bytes = await readFile(path);
  let pixels: Pixels;
  try {
    pixels = await decodePicture(pdfium, bytes);
  } catch {
    return { ok: false };
  }
  let stamp = withoutBackground(fitPixels(pixels, sideMax, sideMax));
  if (!stamp.data.some((byte, at) => at % 4 === 3 && byte >= opacityMin)) return { ok: false };
  let png = encodePng(stamp);
  while (png.length > bytesMax) {
    stamp = fitPixels(stamp, stamp.width * 0.8, stamp.height * 0.8);
    png = encodePng(stamp);
  }
  return { ok: true, png };
}

/** Makes light pixels transparent, so that a photo doesn't cover what is below it. */
function withoutBackground({ data, width, height }: Pixels): Pixels {
  const left = new Uint8Array(data);
  for (let at = 0; at < left.length; at += 4) {
    const light = Math.min(left[at] ?? 0, left[at + 1] ?? 0, left[at + 2] ?? 0) / 255;
    const share = Math.min(1, Math.max(0, (backgroundFrom - light) / (backgroundFrom - inkUpTo)));
    left[at + 3] = (left[at + 3] ?? 0) * share;
  }
  return { data: left, width, height };
}
