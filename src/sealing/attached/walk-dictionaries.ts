import { type PDF, PdfArray, PdfDict, type PdfObject, type PdfRef } from '@libpdf/core';

/** Limit of dictionaries per walk, more than real files have. */
const dictionariesMax = 500_000;

/**
 * Collects a dictionary and all dictionaries that it reaches through the given keys: bookmarks, nodes of a name tree, form
 * fields. A value may be a dictionary or an array of them.
 *
 * @throws when there are more than `dictionariesMax`.
 */
export function walkDictionaries(pdf: PDF, root: PdfDict | undefined, keys: readonly string[]): PdfDict[] {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const found = new Set<PdfDict>();
  const waiting: PdfDict[] = [];
  add(root);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const key of keys) {
      const value = next.get(key, resolve);
      for (const item of value instanceof PdfArray ? value : [value]) add(item);
    }
  }
  return [...found];

  function add(item: PdfObject | undefined): void {
    const dict = item?.type === 'ref' ? resolve(item) : item;
    if (!(dict instanceof PdfDict) || found.has(dict)) return;
    if (found.size >= dictionariesMax) throw new Error('the file has too many bookmarks, names or form fields');
    found.add(dict);
    waiting.push(dict);
  }
}
