import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import type { FormField, Style } from '../../blocks.ts';

/** Text between spaces. */
export interface Word extends Box, Style {
  text: string;
  /** Distance of the baseline from the top. */
  baseline: number;
}

/** Words on one line, separated only by spaces. */
export interface Segment extends Box {
  words: Word[];
  baseline: number;
  size: number;
}

/** All segments on one line, from left to right. */
export interface Row extends Box {
  segments: Segment[];
  baseline: number;
}

/** A page before its layout. Turned text has been turned upright. */
export interface PageWords {
  width: number;
  height: number;
  words: Word[];
  fields: FormField[];
}

export function enclose(boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left === Number.POSITIVE_INFINITY
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
