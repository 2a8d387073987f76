import { type PDF, PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, type PdfRef } from '@libpdf/core';
import { resolverOf } from '../page-tree.ts';

/** The tree that has all parts of a PDF, and the tree of numbers by which marked content finds them (ISO 32000-1, 14.7). */
export interface StructureTree {
  ref: PdfRef;
  /** First number that no page has. Pages take numbers from here on, one each. */
  firstNumber: number;
  /** Adds a part on the highest level, and for each page an array of the parts of its marked content. */
  add(part: PdfRef, contents: readonly PdfRef[]): void;
}

/** Numbers of pages above this have no use, and could exceed what readers can count. */
const numberMax = 2 ** 30;

/** Gives a PDF its first tree. */
export function createTree(pdf: PDF): StructureTree {
  const tree = PdfDict.of({ Type: PdfName.of('StructTreeRoot') });
  const ref = pdf.register(tree);
  return {
    ref,
    firstNumber: 0,
    add(part, contents) {
      tree.set('K', part);
      tree.set('ParentTree', pdf.register(PdfDict.of({ Nums: numbered(contents, 0) })));
      tree.set('ParentTreeNextKey', PdfNumber.of(contents.length));
      const catalog = pdf.context.catalog.getDict();
      catalog.set('StructTreeRoot', ref);
      catalog.set('MarkInfo', PdfDict.of({ Marked: PdfBool.of(true) }));
    },
  };
}

/** Opens the tree of a file. Returns null when the file is not tagged, or has a tree that nothing can be added to. */
export function openTree(pdf: PDF): StructureTree | null {
  const resolve = resolverOf(pdf);
  const catalog = pdf.context.catalog.getDict();
  const marked = resolve(dictAt(catalog, 'MarkInfo')?.get('Marked'));
  const ref = catalog.getRef('StructTreeRoot');
  const tree = dictAt(catalog, 'StructTreeRoot');
  const numbers = tree && dictAt(tree, 'ParentTree');
  const last = numbers && lastNumber(numbers);
  if (!(marked instanceof PdfBool && marked.value) || !ref || !tree || !numbers || last === null) return null;
  const next = resolve(tree.get('ParentTreeNextKey'));
  const firstNumber = Math.max(last + 1, next instanceof PdfNumber && next.isInteger() ? next.value : 0);
  if (firstNumber > numberMax) return null;
  return {
    ref,
    firstNumber,
    add(part, contents) {
      const top = resolve(tree.get('K'));
      const before = top instanceof PdfArray ? [...top] : [tree.get('K')].filter((kid) => kid !== undefined);
      tree.set('K', new PdfArray([...before, part]));
      tree.set('ParentTree', pdf.register(withNumbers(numbers, contents)));
      tree.set('ParentTreeNextKey', PdfNumber.of(firstNumber + contents.length));
    },
  };

  function dictAt(dict: PdfDict, key: string): PdfDict | null {
    const found = resolve(dict.get(key));
    return found instanceof PdfDict ? found : null;
  }

  function listAt(dict: PdfDict, key: string): PdfArray | null {
    const found = resolve(dict.get(key));
    return found instanceof PdfArray ? found : null;
  }

  /** Returns the highest number, -1 when there is none. Null when the numbers can't be read. */
  function lastNumber(node: PdfDict): number | null {
    const [pairs, kids] = [listAt(node, 'Nums'), listAt(node, 'Kids')];
    if (pairs !== null && kids === null) return highest([...pairs].filter((_, index) => index % 2 === 0));
    if (kids === null || pairs !== null) return null;
    const limits = [...kids].map((kid) => {
      const leaf = resolve(kid);
      return leaf instanceof PdfDict ? listAt(leaf, 'Limits')?.at(1) : undefined;
    });
    return highest(limits);
  }

  function highest(items: ReadonlyArray<Parameters<typeof resolve>[0]>): number | null {
    let most = -1;
    for (const item of items) {
      const number = resolve(item);
      if (!(number instanceof PdfNumber) || !number.isInteger()) return null;
      most = Math.max(most, number.value);
    }
    return most;
  }

  /** Returns a root with the numbers of the file and new ones. The nodes of the file stay as they are. */
  function withNumbers(numbers: PdfDict, contents: readonly PdfRef[]): PdfDict {
    const added = numbered(contents, firstNumber);
    const pairs = listAt(numbers, 'Nums');
    if (pairs !== null) return PdfDict.of({ Nums: new PdfArray([...pairs, ...added]) });
    const limits = [firstNumber, firstNumber + contents.length - 1].map((number) => PdfNumber.of(number));
    const leaf = pdf.register(PdfDict.of({ Limits: new PdfArray(limits), Nums: added }));
    return PdfDict.of({ Kids: new PdfArray([...(listAt(numbers, 'Kids') ?? []), leaf]) });
  }
}

function numbered(contents: readonly PdfRef[], first: number): PdfArray {
  return new PdfArray(contents.flatMap((content, index) => [PdfNumber.of(first + index), content]));
}
