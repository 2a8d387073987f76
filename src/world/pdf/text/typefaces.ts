import { PDF, type PdfRef } from '@libpdf/core';
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
type EmbeddedFont = ReturnType<PDF['embedFont']>;

/** Each font as it was parsed once, for its metrics and for every document that draws with it. */
const parsed = new Map<FontFile, EmbeddedFont>();
let metrics: PDF | undefined;

function parse(file: FontFile): EmbeddedFont {
  metrics ??= PDF.create();
  const font = parsed.get(file) ?? metrics.embedFont(fontBytes(file));
  parsed.set(file, font);
  return font;
}

/**
 * Embeds a font into a PDF as `PDF.embedFont` does, but from the font that is parsed already: parsing took a quarter of
 * the time of a seal. What a document uses of it is counted for that document alone.
 */
export function embedTypeface(pdf: PDF, file: FontFile): EmbeddedFont {
  const known = parse(file);
  const EmbeddedFontClass = known.constructor as new (
    program: EmbeddedFont['program'],
    data: Uint8Array,
  ) => EmbeddedFont;
  const font = new EmbeddedFontClass(known.program, fontBytes(file));
  const ref = pdf.context.registry.allocateRef();
  (pdf.fonts as unknown as { embeddedFonts: Map<EmbeddedFont, PdfRef> }).embeddedFonts.set(font, ref);
  font.setRef(ref);
  return font;
}

export function typeface(file: FontFile): Typeface {
  const known = opened.get(file);
  if (known !== undefined) return known;
  const font = parse(file);
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
