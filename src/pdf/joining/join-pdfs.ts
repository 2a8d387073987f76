import { readFile, writeFile } from 'node:fs/promises';
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfString } from '@libpdf/core';
import { type SharedClaim, sharedClaim } from '../archival/shared-claim.ts';
import { withoutCopiedStreams } from '../copied-streams.ts';
import { savePdf } from '../drawing/finish-pdf.ts';
import { textString } from '../drawing/text-string.ts';
import { freezeLayers } from '../freeze-layers.ts';
import { appendPages, readPages } from '../page-tree.ts';
import { copyPages } from './copy-pages.ts';
import type { Joining, PartToJoin } from './jobs.ts';
import { stampFields } from './stamp-fields.ts';

/**
 * Joins PDFs into one, with an outline entry for each. Form fields become stamps, as they look, because two files may use the
 * same names for theirs. Layers keep the state in which they are shown. Attachments, tags and outlines of
 * the files are left out. Claims PDF/A-3 when all files claim PDF/A. Names the first file that can't be joined.
 */
export async function joinPdfs(parts: readonly PartToJoin[], output: string): Promise<Joining> {
  const joined = PDF.create();
  const layers: Layers = { all: [], hidden: [] };
  const firstPages: PdfRef[] = [];
  const claim = sharedClaim();
  let pageCount = 0;
  for (const [part, { path, pageCount: own }] of parts.entries()) {
    const bytes = await readFile(path);
    try {
      const pages = await addPart(joined, bytes, own, layers, pageCount, claim);
      firstPages.push(pages[0] as PdfRef);
      pageCount += own;
    } catch (error) {
      return { ok: false, part, reason: error instanceof EncryptedError ? 'encrypted' : 'damaged' };
    }
  }
  const titles = parts.map(({ title }) => title);
  addOutline(joined, titles, firstPages);
  addLayers(joined, layers);
  claim.settle(joined);
  await writeFile(output, await savePdf(joined));
  return { ok: true };
}

class EncryptedError extends Error {}

interface Layers {
  all: PdfRef[];
  hidden: PdfRef[];
}

/** Appends the pages of a file. Throws if it is damaged, encrypted, or has another number of pages than it is shown with. */
async function addPart(
  joined: PDF,
  bytes: Uint8Array,
  expected: number,
  layers: Layers,
  before: number,
  claim: SharedClaim,
): Promise<PdfRef[]> {
  const pdf = await PDF.load(withoutCopiedStreams(bytes));
  if (pdf.isEncrypted) throw new EncryptedError();
  if (pdf.recoveredViaBruteForce) throw new Error('the file is damaged');
  claim.add(pdf);
  freezeLayers(pdf);
  const pages = readPages(pdf);
  for (const page of pages) stampFields(pdf, page);
  if (pages.length !== expected || expected === 0) throw new Error('the file has another number of pages');
  const copied = copyPages(pdf, pages, joined);
  appendPages(joined, before, copied.pages);
  collectLayers(pdf, copied.copy, layers);
  return copied.pages;
}

/** Adds the layers of a file whose state is frozen. */
function collectLayers(pdf: PDF, copy: ReturnType<typeof copyPages>['copy'], { all, hidden }: Layers): void {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const own = pdf.context.catalog.getDict().getDict('OCProperties', resolve);
  const refsIn = (list: PdfArray | undefined) =>
    [...(list ?? [])]
      .filter((item) => item instanceof PdfRef)
      .map(copy)
      .filter((item) => item instanceof PdfRef);
  all.push(...refsIn(own?.getArray('OCGs', resolve)));
  hidden.push(...refsIn(own?.getDict('D', resolve)?.getArray('OFF', resolve)));
}

function addLayers(joined: PDF, { all, hidden }: Layers): void {
  if (all.length === 0) return;
  const usual = PdfDict.of({
    Name: PdfString.fromString('Layers'),
    BaseState: PdfName.of('ON'),
    OFF: new PdfArray(hidden),
    Locked: new PdfArray(all),
  });
  joined.context.catalog.getDict().set('OCProperties', PdfDict.of({ OCGs: new PdfArray(all), D: usual }));
}

function addOutline(joined: PDF, titles: readonly string[], firstPages: readonly PdfRef[]): void {
  const root = new PdfDict();
  const rootRef = joined.register(root);
  const items = titles.map((title, index) => {
    const destination = new PdfArray([firstPages[index] as PdfRef, PdfName.of('Fit')]);
    return PdfDict.of({ Title: textString(title), Parent: rootRef, Dest: destination });
  });
  const refs = items.map((item) => joined.register(item));
  for (const [index, item] of items.entries()) {
    const [previous, next] = [refs[index - 1], refs[index + 1]];
    if (previous !== undefined) item.set('Prev', previous);
    if (next !== undefined) item.set('Next', next);
  }
  root.set('Type', PdfName.of('Outlines'));
  root.set('First', refs[0] as PdfRef);
  root.set('Last', refs.at(-1) as PdfRef);
  root.set('Count', PdfNumber.of(refs.length));
  const catalog = joined.context.catalog.getDict();
  catalog.set('Outlines', rootRef);
  catalog.set('PageMode', PdfName.of('UseOutlines'));
}
