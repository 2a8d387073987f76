import { type PDF, PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef } from '@libpdf/core';
import { readPages, resolverOf } from '../page-tree.ts';

/** The tree that has all parts of a PDF, and the tree of numbers by which marked content finds them (ISO 32000-1, 14.7). */
export interface StructureTree {
  ref: PdfRef;
  /** First number that no page has. Pages take numbers from here on, one each. */
  firstNumber: number;
  /** Adds a part on the highest level, and for each page an array of the parts of its marked content. */
  add(part: PdfRef, contents: readonly PdfRef[]): void;
}

/** Larger numbers are refused, because readers may not be able to store them. */
const numberMax = 2 ** 30;
/** Readers don't see objects with larger numbers. To resolve such a reference would give new objects even larger ones. */
const objectNumberMax = 2 ** 22;
/** Types of the parts that are added. A file that gives them another meaning can't take them. */
const ownTypes = ['Document', 'Sect', 'L', 'LI', 'LBody', 'H1', 'H2', 'P', 'Figure'];

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

/**
 * Opens the tree of a file. Returns null when the file is not tagged, or has a tree that parts can't be added to: a damaged one, one
 * that gives the types of the parts another meaning, or one that libpdf wouldn't write as it was.
 */
export function openTree(pdf: PDF): StructureTree | null {
  const resolveAny = resolverOf(pdf);
  const resolve = (item: PdfObject | undefined) =>
    item instanceof PdfRef && item.objectNumber >= objectNumberMax ? undefined : resolveAny(item);
  const catalog = pdf.context.catalog.getDict();
  const marked = dictAt(catalog, 'MarkInfo')?.get('Marked');
  const ref = catalog.getRef('StructTreeRoot');
  const tree = dictAt(catalog, 'StructTreeRoot');
  const numbers = tree && dictAt(tree, 'ParentTree');
  // A reference of another generation would make a second object of the same number.
  if (ref?.generation !== 0 || !tree || !numbers || !isTrue(marked) || !isPlain(tree)) return null;
  const top = resolve(tree.get('K'));
  const canTake = !tree.has('K') || top instanceof PdfDict || top instanceof PdfArray;
  const [listed, stated] = [lastNumber(numbers), highest(numbersOnPages())];
  if (!canTake || listed === null || stated === null || hasOtherTypes()) return null;
  const next = resolve(tree.get('ParentTreeNextKey'));
  const firstNumber = Math.max(listed + 1, stated + 1, next instanceof PdfNumber && next.isInteger() ? next.value : 0);
  if (firstNumber > numberMax) return null;
  return {
    ref,
    firstNumber,
    add(part, contents) {
      const before = top instanceof PdfArray ? [...top] : [tree.get('K')].filter((kid) => kid !== undefined);
      tree.set('K', new PdfArray([...before, part]));
      tree.set('ParentTree', pdf.register(withNumbers(numbers, contents)));
      tree.set('ParentTreeNextKey', PdfNumber.of(firstNumber + contents.length));
    },
  };

  function isTrue(item: PdfObject | undefined): boolean {
    const value = resolve(item);
    return value instanceof PdfBool && value.value;
  }

  /** Returns the numbers that pages and annotations state. After a careless merge the tree lacks some of them. */
  function numbersOnPages(): Array<PdfObject | undefined> {
    return readPages(pdf).flatMap(({ dict }) => {
      const annotations = [...(listAt(dict, 'Annots') ?? [])].map(resolve);
      const stated = annotations.map((one) => (one instanceof PdfDict ? one.get('StructParent') : undefined));
      return [dict.get('StructParents'), ...stated].filter((number) => number !== undefined);
    });
  }

  /** Whether the file maps a type of the added parts to another one. */
  function hasOtherTypes(): boolean {
    const map = tree && dictAt(tree, 'RoleMap');
    return ownTypes.some((type) => {
      const meaning = resolve(map?.get(type));
      return meaning !== undefined && !(meaning instanceof PdfName && meaning.value === type);
    });
  }

  function dictAt(dict: PdfDict, key: string): PdfDict | null {
    const found = resolve(dict.get(key));
    return found instanceof PdfDict && found.type === 'dict' ? found : null;
  }

  function listAt(dict: PdfDict, key: string): PdfArray | null {
    const found = resolve(dict.get(key));
    return found instanceof PdfArray ? found : null;
  }

  /** Returns the highest number, -1 when there is none. Null when the numbers can't be read. */
  function lastNumber(node: PdfDict): number | null {
    const [pairs, kids] = [listAt(node, 'Nums'), listAt(node, 'Kids')];
    if (pairs !== null && kids === null && pairs.length % 2 === 0)
      return highest([...pairs].filter((_, index) => index % 2 === 0));
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

/** Whether libpdf writes the names in an object as they were: it takes bytes beyond ASCII for text. */
function isPlain(item: PdfObject | undefined): boolean {
  if (item instanceof PdfName) return /^[!-~]*$/.test(item.value);
  if (item instanceof PdfArray) return [...item].every(isPlain);
  if (item instanceof PdfDict) return [...item].every(([key, value]) => isPlain(key) && isPlain(value));
  return true;
}

function numbered(contents: readonly PdfRef[], first: number): PdfArray {
  return new PdfArray(contents.flatMap((content, index) => [PdfNumber.of(first + index), content]));
}
