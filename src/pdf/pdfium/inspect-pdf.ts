import { closeSync, openSync, readSync } from 'node:fs';
import { hasPdfHeader, headBytes } from '../pdf-header.ts';
import type { Pdfium } from './load-pdfium.ts';
import { type OpenDocument, openDocument, withPage } from './open-document.ts';
import { readPageText } from './page-text.ts';

/** Size in points of a page as shown: cropped and rotated. */
export interface PageSize {
  width: number;
  height: number;
}

export type PdfInspection =
  | {
      ok: true;
      pageCount: number;
      pages: PageSize[];
      /** Whether the file has signatures, which must remain valid. */
      isSigned: boolean;
      /** Whether the file is encrypted with an owner password only, so that it opens without a password. */
      isEncryptedWithoutPassword: boolean;
    }
  | { ok: false; reason: PdfRefusal };

/**
 * Why a PDF is refused. `xfa`: the content only shows in Adobe Reader. `too_complex`: reading took too long or too much
 * memory.
 */
export type PdfRefusal = 'not_a_pdf' | 'encrypted' | 'xfa' | 'damaged' | 'too_many_pages' | 'too_complex';

export const pagesMax = 5000;
/** Limits of width and height, in points. The maximum is about 32 metres. */
const sideMin = 1;
const sideMax = 90_000;

/** Checks whether a file can be shown, signed and sealed, and returns its pages. */
export function inspectPdf(pdfium: Pdfium, path: string): PdfInspection {
  if (!hasPdfHeader(readHead(path))) return { ok: false, reason: 'not_a_pdf' };
  const document = openDocument(pdfium, path);
  if (typeof document === 'string') return { ok: false, reason: document };
  try {
    return inspect(document);
  } finally {
    document.close();
  }
}

function readHead(path: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
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
 * Reads the sizes of the pages. A file may have fewer pages than it claims, so missing pages at the end are ignored. A
 * missing page before others means that the file is damaged.
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

/** Whether the file only shows an XFA form. Some files that also have pages use them to ask for another reader. */
function isPleaseWait(document: OpenDocument): boolean {
  const type = document.pdfium.FPDF_GetFormType(document.handle);
  if (type === needsRendering) return true;
  if (type !== alsoHasForms || document.pageCount > 1) return false;
  return withPage(document, 1, (page) => {
    const { lines } = readPageText(document.pdfium, page);
    return /^(please wait|the document you are trying to load requires)\b/i.test(lines[0]?.text ?? '');
  });
}

/** Whether the file has a signature. Empty signature fields do not count. */
function isSigned({ pdfium, handle }: OpenDocument): boolean {
  const count = pdfium.FPDF_GetSignatureCount(handle);
  for (let index = 0; index < count; index += 1) {
    const signature = pdfium.FPDF_GetSignatureObject(handle, index);
    if (signature !== 0 && pdfium.FPDFSignatureObj_GetContents(signature, 0, 0) > 0) return true;
  }
  return false;
}
