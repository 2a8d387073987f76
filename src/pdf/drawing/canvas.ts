import { ops, type PDF, type PDFImage, type PDFPage, PdfDict, PdfNumber, PdfString } from '@libpdf/core';
import { encodeGlyph } from '../text/encode-glyph.ts';
import type { FontFile } from '../text/font-files.ts';
import { boxWidth, type Glyph } from '../text/shape-text.ts';
import { embedTypeface, typeface } from '../text/typefaces.ts';
import type { Line } from '../text/wrap-text.ts';
import { drawBox } from './missing-glyph.ts';
import { noStructure, type Part, type Structure } from './structure.ts';
import { textString } from './text-string.ts';
import type { Colour } from './theme.ts';

/** A page to draw on. Coordinates are points from the top left corner. Text is placed by its baseline. */
export interface Canvas {
  width: number;
  height: number;
  text(line: Line, at: { x: number; y: number; size: number; colour: Colour; tracking?: number }): void;
  rule(from: { x: number; y: number }, to: { x: number; y: number }, colour: Colour, thickness?: number): void;
  image(image: PDFImage, area: { x: number; y: number; width: number; height: number }): void;
  readonly structure: Structure;
  /**
   * Draws content of a part. Calls inside of another have no effect of their own. With a structure, what is drawn outside of parts
   * is decoration, which isn't read aloud: lines, headers, page numbers.
   */
  mark(part: Part, draw: () => void): void;
  /** Writes everything drawn so far to the page, as one content stream. */
  finish(): void;
}

type Operator = Parameters<PDFPage['drawOperators']>[0][number];
type EmbeddedFont = ReturnType<PDF['embedFont']>;
export type EmbedFont = (file: FontFile) => EmbeddedFont;

/** Makes a function that embeds fonts into a PDF, each font once. */
export function fontEmbedder(pdf: PDF): EmbedFont {
  const embedded = new Map<FontFile, EmbeddedFont>();
  return (file) => {
    const font = embedded.get(file) ?? embedTypeface(pdf, file);
    embedded.set(file, font);
    return font;
  };
}

/** The size of a page as shown, and the matrix from there to the coordinates of the page content. */
export interface PageView {
  width: number;
  height: number;
  matrix: readonly [a: number, b: number, c: number, d: number, e: number, f: number];
}

/**
 * Creates a canvas. For a page with existing content, `view` is the page as shown, and `open` is the number of graphics
 * states that the content leaves open.
 */
export function createCanvas(
  page: PDFPage,
  embed: EmbedFont,
  view: PageView | null = null,
  open = 0,
  structure = noStructure,
): Canvas {
  const { width, height } = view ?? page;
  const drawn: Operator[] = [];
  const up = (y: number) => height - y;
  let isInPart = false;
  const decorates = () => structure !== noStructure && !isInPart;
  const begin = () => {
    if (decorates()) drawn.push(ops.beginMarkedContent('/Artifact'));
  };
  const end = () => {
    if (decorates()) drawn.push(ops.endMarkedContent());
  };

  return {
    width,
    height,
    structure,
    mark(part, draw) {
      if (isInPart || structure === noStructure) return draw();
      const id = PdfNumber.of(structure.mark(part, page));
      drawn.push(ops.beginMarkedContentProps(`/${part.role}`, PdfDict.of({ MCID: id })));
      isInPart = true;
      try {
        draw();
      } finally {
        isInPart = false;
      }
      drawn.push(ops.endMarkedContent());
    },
    text(line, { x, y, size, colour, tracking = 0 }) {
      begin();
      drawn.push(ops.setNonStrokingRGB(...colour), ops.setStrokingRGB(...colour));
      let at = x;
      for (const run of runs(line.glyphs)) {
        const place = { x: at, y: up(y), size, tracking };
        if (!run.isPlain) drawn.push(actualText(run.source));
        if (run.isPlaced && run.file !== null) drawn.push(...showPlaced(page, embed(run.file), run.glyphs, place));
        else if (run.file !== null) drawn.push(...showText(page, embed(run.file), run.shown, place));
        else for (const glyph of run.glyphs) drawn.push(...missing(glyph, place, page, embed));
        if (!run.isPlain) drawn.push(ops.endMarkedContent());
        at += (run.width * size) / 1000 + tracking * run.glyphs.length;
      }
      end();
    },
    rule(from, to, colour, thickness = 0.6) {
      begin();
      drawn.push(ops.setStrokingRGB(...colour), ops.setLineWidth(thickness));
      drawn.push(ops.moveTo(from.x, up(from.y)), ops.lineTo(to.x, up(to.y)), ops.stroke());
      end();
    },
    image(image, area) {
      begin();
      drawn.push(ops.pushGraphicsState());
      drawn.push(ops.concatMatrix(area.width, 0, 0, area.height, area.x, up(area.y + area.height)));
      drawn.push(ops.paintXObject(page.registerImage(image)), ops.popGraphicsState());
      end();
    },
    finish() {
      const operators = drawn.splice(0);
      if (operators.length === 0) return;
      const closing = Array.from({ length: open }, () => ops.popGraphicsState());
      const turning = view === null ? [] : [ops.concatMatrix(...view.matrix)];
      page.drawOperators([...closing, ...turning, ...operators]);
    },
  };
}

interface Run {
  /** Null for the box of a missing character. */
  file: FontFile | null;
  glyphs: Glyph[];
  shown: string;
  source: string;
  width: number;
  /** Whether the drawn characters, from left to right, equal the text. */
  isPlain: boolean;
  /** Whether the shaping engine chose and placed the glyphs. */
  isPlaced: boolean;
}

/**
 * Groups neighbouring glyphs of one font. Each box is a separate run. PDF readers reorder right-to-left text glyph by glyph,
 * so a right-to-left glyph that differs from its text is a separate run. Readers split Arabic ligatures themselves.
 */
function runs(glyphs: Glyph[]): Run[] {
  const found: Run[] = [];
  for (const glyph of glyphs) {
    const file = glyph.typeface?.file ?? null;
    const isReversed = glyph.level % 2 === 1;
    const isLigature = isReversed && [...glyph.source].length > 1;
    const isPlaced = glyph.placed !== null;
    const isPlain = file !== null && !isPlaced && (glyph.shown === glyph.source || isLigature);
    const last = found.at(-1);
    const isLike = last?.file === file && last.isPlain === isPlain && last.isPlaced === isPlaced;
    if (isLike && (isPlain || !isReversed) && file !== null) {
      last.glyphs.push(glyph);
      last.shown += glyph.shown;
      last.source += glyph.source;
      last.width += glyph.width;
    } else {
      const { shown, source, width } = glyph;
      found.push({ file, glyphs: [glyph], shown, source, width, isPlain, isPlaced });
    }
  }
  return found;
}

interface Place {
  x: number;
  /** Distance from the bottom of the page, as in PDF. */
  y: number;
  size: number;
  tracking: number;
}

function showText(page: PDFPage, font: EmbeddedFont, text: string, at: Place): Operator[] {
  const glyphIds = font.encodeTextToGids(text);
  const codes = Buffer.alloc(glyphIds.length * 2);
  glyphIds.forEach((glyphId, i) => {
    codes.writeUInt16BE(glyphId, i * 2);
  });
  return [
    ops.beginText(),
    ops.setFont(page.registerFont(font), at.size),
    ops.setCharSpacing(at.tracking),
    ops.setTextMatrix(1, 0, 0, 1, at.x, at.y),
    ops.showText(PdfString.fromBytes(codes)),
    ops.endText(),
  ];
}

/** Shows glyphs at the positions chosen by the shaping engine. */
function showPlaced(page: PDFPage, font: EmbeddedFont, glyphs: readonly Glyph[], at: Place): Operator[] {
  const drawn = [ops.beginText(), ops.setFont(page.registerFont(font), at.size), ops.setCharSpacing(0)];
  let left = at.x;
  for (const { placed, source, width } of glyphs) {
    for (const { id, x, y } of placed ?? []) {
      encodeGlyph(font, id, source);
      const code = Uint8Array.of(id >> 8, id & 0xff);
      drawn.push(ops.setTextMatrix(1, 0, 0, 1, left + (x * at.size) / 1000, at.y + (y * at.size) / 1000));
      drawn.push(ops.showText(PdfString.fromBytes(code)));
    }
    left += (width * at.size) / 1000 + at.tracking;
  }
  return [...drawn, ops.endText()];
}

/** Starts content with a replacement text, which readers use for copying, searching and speech (ISO 32000-1, 14.9.4). */
function actualText(text: string): Operator {
  return ops.beginMarkedContentProps('/Span', PdfDict.of({ ActualText: textString(text) }));
}

/** Draws the box of a missing character. An invisible letter of the same width carries its replacement text. */
function missing(glyph: Glyph, at: Place, page: PDFPage, embed: EmbedFont): Operator[] {
  const stretch = (100 * boxWidth) / typeface('sans').widthOf(letterN);
  return [
    ops.setTextRenderMode(3),
    ops.setHorizontalScale(stretch),
    ...showText(page, embed('sans'), 'n', at),
    ops.setHorizontalScale(100),
    ops.setTextRenderMode(0),
    ...drawBox(glyph.shown.codePointAt(0) ?? 0, at.x, at.y, at.size),
  ];
}

const letterN = 0x6e;
