import type { PDF, PdfObject } from '@libpdf/core';
import { PdfArray, PdfDict, PdfName, PdfNumber, PdfRef } from '@libpdf/core';

/** A page with its own and inherited attributes. */
export interface TreePage {
  ref: PdfRef;
  dict: PdfDict;
  inherited(key: 'Resources' | 'MediaBox' | 'CropBox' | 'Rotate'): PdfObject | undefined;
}

const nodesMax = 200_000;

/**
 * Reads the pages of a PDF in order. Ignores `/Count` and `/Type`, which may be wrong.
 *
 * @throws when a page is missing, or when the nodes do not form a tree.
 */
export function readPages(pdf: PDF): TreePage[] {
  const pages: TreePage[] = [];
  const seen = new Set<PdfDict>();
  const waiting: Array<{ ref: PdfObject; above: PdfDict[] }> = [{ ref: pagesRootRef(pdf), above: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { ref, above } = next;
    const dict = ref instanceof PdfRef ? pdf.context.resolve(ref) : null;
    if (!(ref instanceof PdfRef) || !(dict instanceof PdfDict)) throw new Error('a page is missing');
    if (seen.has(dict) || seen.size >= nodesMax) throw new Error('the page tree is no tree');
    seen.add(dict);
    const kids = dict.getArray('Kids', (kid) => pdf.context.resolve(kid));
    const lineage = [dict, ...above];
    if (kids === undefined) pages.push({ ref, dict, inherited: (key) => find(pdf, lineage, key) });
    else waiting.push(...[...kids].reverse().map((kid) => ({ ref: kid, above: lineage })));
  }
  return pages;
}

/** Returns the root of the page tree. Throws when there is none. */
export function pagesRoot(pdf: PDF): PdfDict {
  const root = pdf.context.resolve(pagesRootRef(pdf));
  if (!(root instanceof PdfDict) || !root.has('Kids')) throw new Error('the PDF has no page tree');
  return root;
}

function pagesRootRef(pdf: PDF): PdfRef {
  const ref = pdf.context.catalog.getDict().getRef('Pages');
  if (ref === undefined) throw new Error('the PDF has no page tree');
  return ref;
}

/**
 * Appends pages as one new node of the page tree. Existing pages and their inherited attributes do not change.
 */
export function appendPages(pdf: PDF, pageCount: number, pages: readonly PdfRef[]): void {
  const root = pagesRoot(pdf);
  const node = PdfDict.of({
    Type: PdfName.of('Pages'),
    Parent: pagesRootRef(pdf),
    Kids: new PdfArray([...pages]),
    Count: PdfNumber.of(pages.length),
  });
  const ref = pdf.register(node);
  for (const page of pages) (pdf.context.resolve(page) as PdfDict).set('Parent', ref);
  const kids = root.getArray('Kids', (kid) => pdf.context.resolve(kid));
  root.set('Kids', new PdfArray([...(kids ?? []), ref]));
  root.set('Count', PdfNumber.of(pageCount + pages.length));
}

function find(pdf: PDF, lineage: readonly PdfDict[], key: string): PdfObject | undefined {
  for (const dict of lineage) {
    const value = dict.get(key, (ref) => pdf.context.resolve(ref));
    if (value !== undefined && value.type !== 'null') return value;
  }
  return undefined;
}

/** Makes a function that resolves references and returns other values as they are. */
export function resolverOf(pdf: PDF) {
  return (item: PdfObject | undefined) => (item?.type === 'ref' ? pdf.context.resolve(item) : item);
}
