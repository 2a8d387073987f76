import type { Pdfium } from './load-pdfium.ts';
import { type OpenDocument, openDocument, withPage } from './open-document.ts';
import { readPageText } from './page-text.ts';

/** Of a page as it is shown: cropped, rotated, in points. */
export interface PageSize {
  width: number;
  height: number;
}

export type PdfInspection =
  | {
      ok: true;
      pageCount: number;
      pages: PageSize[];
      /** Bears signatures already, which a change must leave valid. */
      isSigned: boolean;
      /** Encrypted with an owner's password only: anyone may open it. */
      isEncryptedWithoutPassword: boolean;
    }
  | { ok: false; reason: PdfRefusal };

/** `xfa`: made for one vendor's reader, all others see "please wait". `too_complex`: it took too long or too much memory. */
export type PdfRefusal = 'not_a_pdf' | 'encrypted' | 'xfa' | 'damaged' | 'too_many_pages' | 'too_complex';

export const pagesMax = 5000;
/** In points: from a speck to thirty metres. */
const sideMin = 1;
const sideMax = 90_000;

/** Whether a file can be shown, signed and sealed, and what it holds. */
export function inspectPdf(pdfium: Pdfium, path: string): PdfInspection {
  const document = openDocument(pdfium, path);
  if (typeof document === 'string') return { ok: false, reason: document };
  try {
    return inspect(document);
  } finally {
    document.close();
  }
}

function inspect(document: OpenDocument): PdfInspection {
  const { pdfium, handle } = document;
  const pages = readSizes(document);
  if (typeof pages === 'string') return { ok: false, reason: pages };
  if (isPleaseWait(document)) return { ok: false, reason: 'xfa' };
  return {
    ok: true,
    pageCount: pages.length,
    pages,
    isSigned: isSigned(document),
    isEncryptedWithoutPassword: Boolean(pdfium.EPDF_IsEncrypted(handle)),
  };
}

/**
 * The pages that are there, which need not be as many as the file claims: those it counts beyond its last are none. One
 * that is missing before others is damage.
 */
function readSizes(document: OpenDocument): PageSize[] | 'damaged' | 'too_many_pages' {
  const { pdfium, handle, pageCount } = document;
  const { memory } = pdfium;
  const size = memory.allocate(8);
  try {
    const sizeOf = (index: number): PageSize | null =>
      pdfium.FPDF_GetPageSizeByIndexF(handle, index, size)
        ? { width: round(memory.float(size)), height: round(memory.float(size + 4)) }
        : null;
    const pages: PageSize[] = [];
    while (pages.length < pageCount) {
      const page = sizeOf(pages.length);
      if (page === null) break;
      if (pages.length === pagesMax) return 'too_many_pages';
      if (!isShowable(page)) return 'damaged';
      pages.push(page);
    }
    const isGap = pages.length < pageCount && pageCount <= pagesMax && sizeOf(pageCount - 1) !== null;
    if (pages.length === 0 || isGap) return 'damaged';
    withPage(document, 1, () => {});
    return pages;
  } catch {
    return 'damaged';
  } finally {
    memory.free(size);
  }
}

function isShowable({ width, height }: PageSize): boolean {
  return Math.min(width, height) >= sideMin && Math.max(width, height) <= sideMax;
}

function round(points: number): number {
  return Math.round(points * 1000) / 1000;
}

const needsRendering = 2;
const alsoHasForms = 3;

/** The second kind has pages of its own beside its forms, but of some they only say that another reader is needed. */
function isPleaseWait(document: OpenDocument): boolean {
  const type = document.pdfium.FPDF_GetFormType(document.handle);
  if (type === needsRendering) return true;
  if (type !== alsoHasForms || document.pageCount > 1) return false;
  return withPage(document, 1, (page) => {
    const { lines } = readPageText(document.pdfium, page);
    return /^(please wait|the document you are trying to load requires)\b/i.test(lines[0]?.text ?? '');
  });
}

/** A field for a signature that is still empty is no signature. */
function isSigned({ pdfium, handle }: OpenDocument): boolean {
  const count = pdfium.FPDF_GetSignatureCount(handle);
  for (let index = 0; index < count; index += 1) {
    const signature = pdfium.FPDF_GetSignatureObject(handle, index);
    if (signature !== 0 && pdfium.FPDFSignatureObj_GetContents(signature, 0, 0) > 0) return true;
  }
  return false;
}
