import { PDF, PdfNull } from '@libpdf/core';
import { hasCopiedStream } from '../../pdf/copied-streams.ts';
import { hasAutomaticLayers } from '../../pdf/freeze-layers.ts';
import { pagesRoot, readPages, type TreePage } from '../../pdf/page-tree.ts';
import { lockedChanges, permittedChanges, signatureFields } from '../../pdf/reading/open-pdf.ts';
import { reserveObjectNumbers } from '../../pdf/signatures/reserve-object-numbers.ts';
import { activeParts } from './active-parts.ts';

/** An attached file and the way in which it can be sealed. */
export type Attached =
  | { manner: 'pages' | 'rewritten'; pdf: PDF; bytes: Uint8Array; pages: TreePage[] }
  /** `mayAnnotate`: whether the file's signatures allow annotations. */
  | { manner: 'signed'; pdf: PDF; bytes: Uint8Array; pages: TreePage[]; mayAnnotate: boolean }
  | { manner: 'enclosed' };

/**
 * Opens an attached file and decides how it can be sealed. `pageCount` comes from PDFium, which tolerates more damage than
 * libpdf. If libpdf finds another number of pages, sealing could lose pages, so the file is embedded instead. `mustAdd`: whether
 * something has to be drawn on its pages.
 */
export async function openAttached(file: Uint8Array, pageCount: number, mustAdd: boolean): Promise<Attached> {
  if (hasCopiedStream(file)) return { manner: 'enclosed' };
  try {
    const pdf = await PDF.load(file);
    const allowed = changesAllowed(pdf);
    if (allowed === 'none' || (allowed === 'signatures' && mustAdd)) return { manner: 'enclosed' };
    const isDamaged = pdf.isEncrypted || pdf.recoveredViaBruteForce;
    if (isDamaged && allowed !== 'all') return { manner: 'enclosed' };
    if (isDamaged) return await rewrite(pdf, pageCount);
    const opened = withPages(allowed === 'all' ? 'pages' : 'signed', pdf, file, pageCount);
    return opened.manner === 'signed' ? { ...opened, mayAnnotate: allowed === 'annotations' } : opened;
  } catch {
    return { manner: 'enclosed' };
  }
}

function withPages(manner: 'pages' | 'rewritten' | 'signed', pdf: PDF, bytes: Uint8Array, pageCount: number): Attached {
  pagesRoot(pdf);
  const pages = readPages(pdf);
  if (pages.length !== pageCount || pdf.getPageCount() !== pageCount) return { manner: 'enclosed' };
  // Earlier signatures do not allow active parts to be removed.
  if (manner === 'signed' && (activeParts(pdf, pages).length > 0 || hasAutomaticLayers(pdf)))
    return { manner: 'enclosed' };
  updateInPlace(pdf);
  reserveObjectNumbers(pdf, bytes);
  return manner === 'signed' ? { manner, pdf, bytes, pages, mayAnnotate: true } : { manner, pdf, bytes, pages };
}

/** Rewrites all objects without encryption. The file opens without a password, so its copy may too. */
async function rewrite(pdf: PDF, pageCount: number): Promise<Attached> {
  if (pdf.isEncrypted) Object.assign(pdf, { _pendingSecurity: { action: 'remove' } });
  // Without a change, libpdf returns the original bytes.
  const catalog = pdf.context.catalog.getDict();
  catalog.set('Pages', catalog.get('Pages') ?? PdfNull.instance);
  const bytes = await pdf.save();
  return withPages('rewritten', await PDF.load(bytes), bytes, pageCount);
}

/**
 * Makes libpdf append an update to a linearized file, as ISO 32000-1, annex F.4.6 allows. By default libpdf rewrites such
 * a file, which changes every signed byte. Call this again after each reload.
 *
 * @throws for a damaged file, which libpdf can only rewrite.
 */
export function updateInPlace(pdf: PDF): void {
  Object.assign(pdf, { _isLinearized: false });
  const obstacle = pdf.canSaveIncrementally();
  if (obstacle !== null) throw new Error(`nothing can be appended to the file: ${obstacle}`);
}

/** Changes that the signatures of a file allow (ISO 32000-1, 12.8.2.2; ISO 32000-2, table 236). */
type Changes = 'all' | 'annotations' | 'signatures' | 'none';

function changesAllowed(pdf: PDF): Changes {
  const catalog = pdf.context.catalog.getDict();
  const resolve = (ref: Parameters<PDF['context']['resolve']>[0]) => pdf.context.resolve(ref);
  const form = catalog.getDict('AcroForm', resolve);
  const signed = form === undefined ? [] : signatureFields(form, resolve);
  if (signed.length === 0) return 'all';
  const certification = catalog.getDict('Perms', resolve)?.getDict('DocMDP', resolve);
  const levels = signed.flatMap((field) => lockedChanges(field, resolve));
  if (certification !== undefined) levels.push(permittedChanges(certification, resolve) ?? 2);
  if (levels.includes(1)) return 'none';
  return levels.every((level) => level === 3) ? 'annotations' : 'signatures';
}
