import { firstFreeObject, makePdf, type PagePlan } from '../../../pdf/pdfium/testing/make-pdf.ts';

/** A text and its position in points: `x` from the left, `y` from the top to the baseline. */
export interface Drawn {
  x: number;
  y: number;
  text: string;
  size?: number;
  bold?: boolean;
  /** Quarter turns, anticlockwise. */
  turns?: number;
}

export interface DrawnPage {
  width?: number;
  height?: number;
  texts: Drawn[];
  /** More entries of the page, such as `/Rotate 90`. */
  entries?: string;
}

const [regular, bold, encoding] = [firstFreeObject, firstFreeObject + 1, firstFreeObject + 2];
/** Number of the first object that a test may add. */
export const nextObject = firstFreeObject + 3;

/** Makes a PDF with exactly these texts, in this order. */
export function drawPages(pages: DrawnPage[], extra: { catalog?: string; objects?: string[] } = {}): Buffer {
  return makePdf({
    catalog: extra.catalog ?? '',
    pages: pages.map(pageOf),
    objects: [
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding ${encoding} 0 R >>`,
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding ${encoding} 0 R >>`,
      '<< /Type /Encoding /BaseEncoding /WinAnsiEncoding >>',
      ...(extra.objects ?? []),
    ],
  });
}

function pageOf({ width = 612, height = 792, texts, entries = '' }: DrawnPage): PagePlan {
  const fonts = `/Resources << /Font << /F1 ${regular} 0 R /F2 ${bold} 0 R >> >>`;
  const bytes = Buffer.from(texts.map((text) => drawing(text, height)).join('\n'), 'latin1');
  return { width, height, entries: `${fonts} ${entries}`, content: { entries: '', bytes } };
}

const turned = ['1 0 0 1', '0 1 -1 0', '-1 0 0 -1', '0 -1 1 0'];

function drawing({ x, y, text, size = 10, bold = false, turns = 0 }: Drawn, height: number): string {
  const shown = text.replaceAll('•', '\x95').replaceAll(/[\\()]/g, '\\$&');
  return `BT /F${bold ? 2 : 1} ${size} Tf ${turned[turns]} ${x} ${height - y} Tm (${shown}) Tj ET`;
}

/** Returns consecutive lines of text. */
export function lines(x: number, y: number, texts: readonly string[], style: Partial<Drawn> & { pitch?: number } = {}) {
  const { pitch = 12, ...rest } = style;
  return texts.map((text, index) => ({ x, y: y + index * pitch, text, ...rest }));
}
