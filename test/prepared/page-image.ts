import { createHash } from 'node:crypto';
import { loadPdfium } from '../../src/pdf/pdfium/load-pdfium.ts';
import { openBytes } from '../../src/pdf/pdfium/open-document.ts';
import { pagePixels } from '../../src/pdf/pdfium/render-page.ts';

/** An area in points from the top left corner of the page. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

const pageWidth = 612;

/** Returns a digest of a Letter page (from 1) as signers see it, with one pixel per point, without some areas. */
export async function imageOutside(pdf: Uint8Array, page: number, areas: readonly Area[] = []): Promise<string> {
  const document = openBytes(await loadPdfium(), pdf);
  if (typeof document === 'string') throw new Error(`the PDF cannot be opened: ${document}`);
  try {
    const { pixels, width } = pagePixels(document, page, pageWidth);
    for (const { x, y, width: across, height: down } of areas) {
      for (let row = y; row < y + down; row += 1) pixels.fill(0, (row * width + x) * 4, (row * width + x + across) * 4);
    }
    return createHash('sha256').update(pixels).digest('hex');
  } finally {
    document.close();
  }
}
