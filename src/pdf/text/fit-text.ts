import type { FontStack } from './typefaces.ts';
import { type Line, wrapText } from './wrap-text.ts';

export interface Fitting {
  /** Font sizes in points, largest first. The first one that fits is used. */
  sizes: readonly number[];
  /** Line height as a multiple of the font size. */
  leading: number;
  /** Maximum font size in points for several lines. */
  severalLinesMax?: number;
}

export interface FittedText {
  lines: Line[];
  size: number;
}

/** Minimum font size in points. Only absurdly long texts come near it. */
const sizeMin = 0.1;

/**
 * Wraps a text in the largest size that fits into `width` × `height` points. A text that fits in none of the sizes is shrunk
 * further, because all of it was signed and it must not cover the content around its area.
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
  // Without its line breaks the text can become small enough.
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
