import { PDF, PdfArray, type PdfDict } from '@libpdf/core';
import { loadPdfium } from '../pdfium/load-pdfium.ts';
import { type OpenDocument, openBytes } from '../pdfium/open-document.ts';
import type { SealField } from '../seal-input.ts';
import { drawnAlike, isEqual, pixelsOrNull } from './drawn-alike.ts';
import { updateInPlace } from './open-attached.ts';
import { readPages, type TreePage } from './page-tree.ts';
import { unchangedPages } from './unchanged/unchanged-pages.ts';

/** How much a page had of its own before anything was added to it. Null for a page to which nothing is added. */
export type PageParts = { hasContents: boolean; annotations: number } | null;

/** Pixels. Enough for a changed digit in small print to change one of them. */
const width = 400;

/** A PDF process has 60 s for a whole seal. The rest of them is for signing, and for embedding the file instead. */
const compareMsMax = 20_000;
/** Of that time, for finding pages that need no rendering. */
const walkShare = 0.25;

/** To be read before anything is drawn on the pages. */
export function partsOf(pdf: PDF, pages: readonly TreePage[], fields: readonly SealField[]): PageParts[] {
  const withFields = new Set(fields.map(({ page }) => page));
  return pages.map(({ dict }, index) =>
    withFields.has(index + 1)
      ? { hasContents: dict.has('Contents'), annotations: annotationsOf(pdf, dict)?.length ?? 0 }
      : null,
  );
}

/** Why pages could not be compared: the time was over, or a page never looks the same twice. */
export type Undecided = 'late' | 'unstable';

/**
 * Compares the pages of an attached file with the same pages of its sealed PDF without what we drew on them. They differ
 * when something in the file means something else since our objects were added. Pages for which that is impossible are
 * not rendered. Returns the first page (from 1) that looks different, null when all look the same, and why when that
 * cannot be said. The time, `msMax`, is checked between two renderings.
 */
export async function firstChangedPage(
  file: Uint8Array,
  sealed: Uint8Array,
  parts: readonly PageParts[],
  msMax = compareMsMax,
): Promise<number | Undecided | null> {
  const start = performance.now();
  const isLater = (ms: number) => () => performance.now() - start >= ms;
  const isLate = isLater(msMax);
  const unchanged = unchangedPages(file, sealed, parts.length, isLater(msMax * walkShare));
  const pdfium = await loadPdfium();
  const bare = await withoutAdditions(sealed, parts);
  const [before, after] = [openBytes(pdfium, file), openBytes(pdfium, bare)];
  try {
    if (typeof before === 'string' || typeof after === 'string') return 1;
    const isIntact = [before, after].every(hasIntactTable);
    for (let page = 1; page <= parts.length; page += 1) {
      if (isIntact && unchanged.has(page - 1)) continue;
      if (isLate()) return 'late';
      if (looksSame(before, after, page)) continue;
      const again = await drawnAlike([file, bare], page, width, isLate);
      if (again === 'changed') return page;
      if (again !== 'same') return again;
    }
    return null;
  } finally {
    for (const document of [before, after]) if (typeof document !== 'string') document.close();
  }
}

/** PDFium may find other objects in a file whose table it had to repair. */
function hasIntactTable({ pdfium, handle }: OpenDocument): boolean {
  return pdfium.FPDF_DocumentHasValidCrossReferenceTable(handle);
}

/**
 * The sealed PDF with the content and the annotations that the pages of the file had. Every object of ours stays where it
 * is, and every page keeps the resources that it got.
 */
async function withoutAdditions(sealed: Uint8Array, parts: readonly PageParts[]): Promise<Uint8Array> {
  if (parts.every((part) => part === null)) return sealed;
  const pdf = await PDF.load(sealed);
  updateInPlace(pdf);
  for (const [index, { dict }] of readPages(pdf).slice(0, parts.length).entries()) {
    const part = parts[index] ?? null;
    if (part === null) continue;
    removeDrawing(dict, part.hasContents);
    const annotations = annotationsOf(pdf, dict);
    if (annotations !== undefined) dict.set('Annots', new PdfArray([...annotations].slice(0, part.annotations)));
  }
  return pdf.save({ incremental: true });
}

/** libpdf puts `q` before the content of a page, and `Q` and what is drawn behind it. */
function removeDrawing(page: PdfDict, hadContents: boolean): void {
  const contents = page.get('Contents');
  if (!hadContents) page.delete('Contents');
  else if (contents instanceof PdfArray) page.set('Contents', new PdfArray([...contents].slice(1, -2)));
}

function annotationsOf(pdf: PDF, page: PdfDict): PdfArray | undefined {
  return page.getArray('Annots', (ref) => pdf.context.resolve(ref));
}

/** A page that cannot be shown must stay one. */
function looksSame(before: OpenDocument, after: OpenDocument, page: number): boolean {
  return isEqual(pixelsOrNull(before, page, width), pixelsOrNull(after, page, width));
}
