import { PDF, PdfArray, type PdfDict, type PdfObject } from '@libpdf/core';
import { readPages, type TreePage } from '../../pdf/page-tree.ts';
import { loadPdfium } from '../../pdf/pdfium/load-pdfium.ts';
import { type OpenDocument, openBytes } from '../../pdf/pdfium/open-document.ts';
import type { SealField } from '../seal-input.ts';
import { compareRenderings, isEqual, pixelsOrNull } from './compare-renderings.ts';
import { updateInPlace } from './open-attached.ts';
import { unchangedPages } from './unchanged/unchanged-pages.ts';

/** How many streams of content and annotations a page had before the seal added to it. Null for a page without added values. */
export type PageParts = { contents: number; annotations: number } | null;

/** Page width in pixels. A changed digit in small print changes at least one pixel at this width. */
const width = 400;

/** Time limit of the comparison. A PDF process has 60 s per seal; the rest is for signing or embedding the file. */
export const compareMsMax = 20_000;
/** Share of the time limit for finding pages that need no rendering. */
const walkShare = 0.25;

/** Records the parts of each page that is drawn on: those with values, or all. Call it before anything is drawn. */
export function partsOf(
  pdf: PDF,
  pages: readonly TreePage[],
  fields: readonly SealField[],
  isAll: boolean,
): PageParts[] {
  const withFields = new Set(fields.map(({ page }) => page));
  return pages.map(({ dict }, index) =>
    isAll || withFields.has(index + 1)
      ? { contents: contentsOf(pdf, dict).length, annotations: annotationsOf(pdf, dict)?.length ?? 0 }
      : null,
  );
}

/** Why pages could not be compared: the time limit passed, or a page renders differently each time. */
export type Undecided = 'late' | 'unstable';

/**
 * Compares the pages of an attached file with the same pages of its sealed PDF, without the values drawn on them. They
 * differ when the new objects changed the meaning of something in the file. Pages that cannot have changed are not
 * rendered. Returns the first page (from 1) that looks different, or null when all look the same, or the reason why the
 * pages could not be compared. The time limit `msMax` is checked between renderings.
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
      const again = await compareRenderings([file, bare], page, width, isLate);
      if (again === 'changed') return page;
      if (again !== 'same') return again;
    }
    return null;
  } finally {
    for (const document of [before, after]) if (typeof document !== 'string') document.close();
  }
}

/** Whether PDFium read the cross-reference table without repair. After a repair it may find other objects. */
function hasIntactTable({ pdfium, handle }: OpenDocument): boolean {
  return pdfium.FPDF_DocumentHasValidCrossReferenceTable(handle);
}

/**
 * Returns the sealed PDF with only the original content and annotations on its pages. The objects of the seal and the new
 * resources of the pages remain.
 */
async function withoutAdditions(sealed: Uint8Array, parts: readonly PageParts[]): Promise<Uint8Array> {
  if (parts.every((part) => part === null)) return sealed;
  const pdf = await PDF.load(sealed);
  updateInPlace(pdf);
  for (const [index, { dict }] of readPages(pdf).slice(0, parts.length).entries()) {
    const part = parts[index] ?? null;
    if (part === null) continue;
    removeDrawing(pdf, dict, part.contents);
    const annotations = annotationsOf(pdf, dict);
    if (annotations !== undefined) dict.set('Annots', new PdfArray([...annotations].slice(0, part.annotations)));
  }
  return pdf.save({ incremental: true });
}

/**
 * Removes the drawing from a page that was drawn on. The `q` and the `Q` that libpdf puts around the content stay: they may change
 * what the content shows.
 */
function removeDrawing(pdf: PDF, page: PdfDict, count: number): void {
  const contents = contentsOf(pdf, page);
  if (contents.length > count) page.set('Contents', new PdfArray(contents.slice(0, -1)));
}

function contentsOf(pdf: PDF, page: PdfDict): PdfObject[] {
  const contents = page.get('Contents', (ref) => pdf.context.resolve(ref));
  if (contents instanceof PdfArray) return [...contents];
  return contents === undefined ? [] : [page.get('Contents') ?? contents];
}

function annotationsOf(pdf: PDF, page: PdfDict): PdfArray | undefined {
  return page.getArray('Annots', (ref) => pdf.context.resolve(ref));
}

/** Compares two renderings. Pages that both cannot be rendered count as equal. */
function looksSame(before: OpenDocument, after: OpenDocument, page: number): boolean {
  return isEqual(pixelsOrNull(before, page, width), pixelsOrNull(after, page, width));
}
