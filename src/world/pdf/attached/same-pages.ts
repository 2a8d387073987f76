import { PDF, type PdfObject } from '@libpdf/core';
import { loadPdfium } from '../pdfium/load-pdfium.ts';
import { type OpenDocument, openBytes } from '../pdfium/open-document.ts';
import { pagePixels } from '../pdfium/render-page.ts';
import type { SealField } from '../seal-input.ts';
import { updateInPlace } from './open-attached.ts';
import { readPages, type TreePage } from './page-tree.ts';

/** What a page drew before anything was added to it. */
export interface PageParts {
  contents: PdfObject | undefined;
  annotations: PdfObject | undefined;
}

/** Pixels. Enough for a changed digit in small print to change one of them. */
const width = 400;

/** What the pages with fields draw by themselves, to be read before anything is drawn on them. Null for the other pages. */
export function partsOf(pages: readonly TreePage[], fields: readonly SealField[]): Array<PageParts | null> {
  const withFields = new Set(fields.map(({ page }) => page));
  return pages.map(({ dict }, index) =>
    withFields.has(index + 1) ? { contents: dict.get('Contents'), annotations: dict.get('Annots') } : null,
  );
}

/**
 * Compares the pages of an attached file with the same pages of its sealed PDF without what we drew on them. They differ
 * when something in the file means something else since our objects were added. Returns the first page (from 1) that
 * looks different, or null.
 */
export async function firstChangedPage(
  file: Uint8Array,
  sealed: Uint8Array,
  parts: ReadonlyArray<PageParts | null>,
): Promise<number | null> {
  const pdfium = await loadPdfium();
  const before = openBytes(pdfium, file);
  const after = openBytes(pdfium, await withoutAdditions(sealed, parts));
  try {
    if (typeof before === 'string' || typeof after === 'string') return 1;
    for (let page = 1; page <= parts.length; page += 1) {
      if (!looksSame(before, after, page)) return page;
    }
    return null;
  } finally {
    for (const document of [before, after]) if (typeof document !== 'string') document.close();
  }
}

/**
 * The sealed PDF with the content and the annotations that the pages of the file had. Every object of ours stays where it
 * is, and every page keeps the resources that it got.
 */
async function withoutAdditions(sealed: Uint8Array, parts: ReadonlyArray<PageParts | null>): Promise<Uint8Array> {
  const pdf = await PDF.load(sealed);
  updateInPlace(pdf);
  for (const [index, { dict }] of readPages(pdf).slice(0, parts.length).entries()) {
    const part = parts[index] ?? null;
    if (part === null) continue;
    restore(dict, 'Contents', part.contents);
    restore(dict, 'Annots', part.annotations);
  }
  return pdf.save({ incremental: true });
}

function restore(page: TreePage['dict'], key: string, value: PdfObject | undefined): void {
  if (value === undefined) page.delete(key);
  else page.set(key, value);
}

/** A page that cannot be shown must stay one. */
function looksSame(before: OpenDocument, after: OpenDocument, page: number): boolean {
  const [a, b] = [pixelsOrNull(before, page), pixelsOrNull(after, page)];
  if (a === null || b === null) return a === b;
  return a.width === b.width && a.height === b.height && bytesOf(a.pixels).equals(bytesOf(b.pixels));
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8ClampedArray): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function pixelsOrNull(document: OpenDocument, page: number) {
  try {
    return pagePixels(document, page, width);
  } catch {
    return null;
  }
}
