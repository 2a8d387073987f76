import { loadPdfium } from '../../../pdf/pdfium/load-pdfium.ts';
import { type OpenDocument, openDocument, UnreadablePage, withPage } from '../../../pdf/pdfium/open-document.ts';
import type { UnlockedPage } from '../../blocks.ts';
import { type BodyStyle, createStyleCount } from '../layout/body-style.ts';
import { openForm } from '../reading/read-fields.ts';
import { readWords, type Written } from '../reading/read-words.ts';
import type { Conversion, UnlockJob } from './jobs.ts';
import { createScanReader, TooManyScans } from './scan-reader.ts';
import { unlockPage } from './unlock-page.ts';
import { createPageWriter } from './write-pages.ts';

/** Number of pages that are read to find the style of the body. They are spread over the file, because first pages differ. */
const sampleMax = 16;
const mayCopy = 0x10;

/**
 * Unlocks the PDF at `source` page by page. Only the current page is in memory. Writes the result to `output` (see
 * `createPageWriter`). After a failure the output is useless.
 */
export async function convert({ source, output, pages }: Omit<UnlockJob, 'kind'>): Promise<Conversion> {
  const document = openDocument(await loadPdfium(), source);
  if (document === 'encrypted') return { ok: false, reason: 'encrypted_pdf' };
  if (typeof document === 'string' || document.pageCount < 1) return { ok: false, reason: 'conversion_failed' };
  try {
    if (isLocked(document)) return { ok: false, reason: 'encrypted_pdf' };
    return await convertPages(document, pages, output);
  } catch (error) {
    if (error instanceof TooManyScans) return { ok: false, reason: 'conversion_failed' };
    throw error;
  } finally {
    document.close();
  }
}

/** Whether the file is encrypted so that it can be read but not copied from. */
function isLocked({ pdfium, handle }: OpenDocument): boolean {
  return Boolean(pdfium.EPDF_IsEncrypted(handle)) && (pdfium.FPDF_GetDocPermissions(handle) & mayCopy) === 0;
}

async function convertPages(document: OpenDocument, pageCount: number, output: string): Promise<Conversion> {
  const body = sampleBody(document, pageCount);
  const form = openForm(document);
  const scans = createScanReader(document);
  const writer = await createPageWriter(output);
  let found = 0;
  let damaged = 0;
  try {
    for (let number = 1; number <= pageCount; number += 1) {
      const page = await orDamaged(unlockPage({ document, form, scans, body }, number));
      found += page?.blocks.length ?? 0;
      damaged += page === null ? 1 : 0;
      await writer.write(page ?? { page: number, width: 0, height: 0, source: 'none', blocks: [] });
    }
    const written = await writer.end();
    if (found === 0) return { ok: false, reason: damaged > 0 ? 'conversion_failed' : 'no_text' };
    return { ok: true, pages: pageCount, ...written };
  } finally {
    await writer.close();
  }
}

/** Returns null for a page that cannot be read. The other pages are still converted. */
async function orDamaged(unlocking: Promise<UnlockedPage>): Promise<UnlockedPage | null> {
  try {
    return await unlocking;
  } catch (error) {
    if (error instanceof UnreadablePage) return null;
    throw error;
  }
}

function sampleBody(document: OpenDocument, pageCount: number): BodyStyle | null {
  const count = createStyleCount();
  const step = Math.max(1, pageCount / sampleMax);
  let words = 0;
  for (let at = step / 2; at < pageCount; at += step) {
    const number = Math.min(Math.floor(at) + 1, pageCount);
    for (const written of wordsOf(document, number)) {
      count.add(written.words);
      words += written.words.length;
    }
  }
  return words === 0 ? null : count.result();
}

function wordsOf(document: OpenDocument, number: number): Written[] {
  const { pdfium } = document;
  try {
    return withPage(document, number, (page) =>
      readWords(pdfium, page, { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) }),
    );
  } catch (error) {
    if (error instanceof UnreadablePage) return [];
    throw error;
  }
}
