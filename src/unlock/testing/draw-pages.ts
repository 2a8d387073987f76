import { firstFreeObject, makePdf, type PagePlan } from '../../world/pdf/pdfium/testing/make-pdf.ts';

/** What is written where: `x` from the left, `y` the baseline from the top, in points. */
export interface Drawn {
  x: number;
  y: number;
  text: string;
  size?: number;
  bold?: boolean;
  /** In quarters, against the clock. */
  turns?: number;
}

export interface DrawnPage {
  width?: number;
  height?: number;
  texts: Drawn[];
  /** Further entries of the page, such as `/Rotate 90`. */
  entries?: string;
}

const [regular, bold, encoding] = [firstFreeObject, firstFreeObject + 1, firstFreeObject + 2];
/** Where further objects of a test begin. */
export const nextObject = firstFreeObject + 3;

/** A PDF with exactly these texts, in the order in which they are given. */
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

/** Lines one under the other. */
export function lines(x: number, y: number, texts: readonly string[], style: Partial<Drawn> & { pitch?: number } = {}) {
  const { pitch = 12, ...rest } = style;
  return texts.map((text, index) => ({ x, y: y + index * pitch, text, ...rest }));
}
