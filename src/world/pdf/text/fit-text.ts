import type { FontStack } from './typefaces.ts';
import { type Line, wrapText } from './wrap-text.ts';

export interface Fitting {
  /** Points, the largest first: of these the first that fits. */
  sizes: readonly number[];
  /** From line to line, in sizes. */
  leading: number;
  /** Points: larger letters stand on one line or not at all. */
  severalLinesMax?: number;
}

export interface FittedText {
  lines: Line[];
  size: number;
}

/** Only a text that nobody could read at any size comes near it. */
const sizeMin = 0.1;

/**
 * A text in the largest letters in which it stays within `width` × `height` points. What fits in none of the sizes is made
 * as small as it takes: all of it was signed, and none of it may cover what others wrote around its area.
 */
export function fitText(
  text: string,
  stack: FontStack,
  { width, height }: { width: number; height: number },
  { sizes, leading, severalLinesMax = Number.POSITIVE_INFINITY }: Fitting,
): FittedText {
  for (const size of sizes) {
    const lines = wrapText(text, { stack, size }, width);
    const fits = lines.length * size * leading <= height && (lines.length === 1 || size <= severalLinesMax);
    if (fits) return { lines, size };
  }
  // Line breaks of its own would ask for a height however small the letters are.
  const flowing = text.replace(/\s+/g, ' ');
  let size = sizes.at(-1) as number;
  let lines = wrapText(flowing, { stack, size }, width);
  while (lines.length * size * leading > height && size > sizeMin) {
    // Half the size takes about a quarter of the height.
    size *= Math.min(0.95, Math.sqrt(height / (lines.length * size * leading)));
    lines = wrapText(flowing, { stack, size }, width);
  }
  return { lines, size };
}
