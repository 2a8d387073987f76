import { rgbaOf, unfilter, unfilteredRows } from './png-pixels.ts';
import { type Png, readPng } from './read-png.ts';

/** The strokes of a drawn signature, cropped to the ink. One byte per pixel: 0 is background, 255 is full ink. */
export interface Ink {
  width: number;
  height: number;
  coverage: Uint8Array;
}

/** Minimum coverage of ink. Lower values are blur or noise. */
const coverageMin = 12;

/**
 * Extracts the strokes from a PNG: the opaque pixels of a transparent image, the dark pixels of another image. The colour of
 * the strokes does not matter, so a signature drawn in white on a dark screen shows on a white page. Returns null for an
 * image without strokes.
 */
export function signatureInk(bytes: Uint8Array): Ink | null {
  const png = readPng(bytes);
  return cropped({ width: png.width, height: png.height, coverage: coverageOf(png, unfilter(png)) });
}

/**
 * Whether bytes are a valid PNG with strokes: whether `signatureInk` would find any. Reads no further than the first pixel that
 * decides it.
 */
export function hasInk(bytes: Uint8Array): boolean {
  try {
    return showsInk(readPng(bytes));
  } catch {
    return false;
  }
}

function showsInk(png: Png): boolean {
  let [isTransparent, hasOpaque] = [false, false];
  for (const row of unfilteredRows(png)) {
    const pixels = rgbaOf({ ...png, height: 1 }, row);
    for (let at = 0; at < pixels.length; at += 4) {
      const alpha = pixels[at + 3] ?? 0;
      if (alpha < 255) isTransparent = true;
      if (alpha >= coverageMin) hasOpaque = true;
      if (hasOpaque && (isTransparent || darknessAt(pixels, at) >= coverageMin)) return true;
    }
  }
  return false;
}

function coverageOf(png: Png, raw: Uint8Array): Uint8Array {
  const { width, height } = png;
  const canvasAlpha = png.colourType === 6 && png.bitDepth === 8 ? everyFourth(raw, 3) : null;
  // Fast path for the PNGs of browser canvases.
  if (canvasAlpha?.some((alpha) => alpha < 255)) return canvasAlpha;

  const pixels = rgbaOf(png, raw);
  const opacity = everyFourth(pixels, 3);
  if (opacity.some((alpha) => alpha < 255)) return opacity;
  const darkness = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < darkness.length; i++, at += 4) darkness[i] = darknessAt(pixels, at);
  return darkness;
}

function darknessAt(pixels: Uint8Array, at: number): number {
  const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
  return 255 - Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
}

function everyFourth(raw: Uint8Array, offset: number): Uint8Array {
  const found = new Uint8Array(raw.length / 4);
  for (let i = 0; i < found.length; i++) found[i] = raw[i * 4 + offset] ?? 0;
  return found;
}

function cropped({ width, height, coverage }: Ink): Ink | null {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((coverage[y * width + x] ?? 0) < coverageMin) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (right < 0) return null;
  const size = { width: right - left + 1, height: bottom - top + 1 };
  const cut = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = (top + y) * width + left;
    cut.set(coverage.subarray(from, from + size.width), y * size.width);
  }
  return { ...size, coverage: cut };
}
