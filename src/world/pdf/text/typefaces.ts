import { PDF } from '@libpdf/core';
import { type FontFile, fontBytes } from './font-files.ts';

/** What layout needs to know of a font. Shared by all documents of the process. */
export interface Typeface {
  file: FontFile;
  has(codePoint: number): boolean;
  /** Advance width in thousandths of the font size. */
  widthOf(codePoint: number): number;
}

/** What a text is set in: the first font that has a character draws it. */
export type FontStack = readonly FontFile[];

const otherScripts = ['arabic', 'hebrew', 'han', 'hangul', 'emoji'] as const;

export const fontStacks = {
  sans: ['sans', ...otherScripts],
  sansMedium: ['sansMedium', ...otherScripts],
  sansSemiBold: ['sansSemiBold', ...otherScripts],
  serif: ['serif', 'sans', ...otherScripts],
  serifItalic: ['serifItalic', 'sans', ...otherScripts],
  serifSemiBold: ['serifSemiBold', 'sansSemiBold', ...otherScripts],
  mono: ['mono', 'sans', ...otherScripts],
  handwriting: ['handwriting', 'serifItalic', 'sans', ...otherScripts],
  handwritingCyrillic: ['handwritingCyrillic', 'serifItalic', 'sans', ...otherScripts],
} as const satisfies Record<string, FontStack>;

const opened = new Map<FontFile, Typeface>();
/** Reads metrics for every document, so that a document embeds only the fonts it draws with. */
let metrics: PDF | undefined;

export function typeface(file: FontFile): Typeface {
  const known = opened.get(file);
  if (known !== undefined) return known;
  metrics ??= PDF.create();
  const font = metrics.embedFont(fontBytes(file));
  const widths = new Map<number, number>();
  const opening: Typeface = {
    file,
    has: (codePoint) => font.program.hasGlyph(codePoint),
    widthOf(codePoint) {
      const width = widths.get(codePoint) ?? font.getWidth(codePoint);
      widths.set(codePoint, width);
      return width;
    },
  };
  opened.set(file, opening);
  return opening;
}
