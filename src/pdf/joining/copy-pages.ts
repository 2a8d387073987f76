import { type PDF, PdfArray, PdfDict, PdfNull, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import type { TreePage } from '../page-tree.ts';

/** Entries of a page that only mean something in its own file: its place, threads, tags, and data of the program that made it. */
const leftOut = ['Parent', 'B', 'Thumb', 'StructParents', 'PieceInfo'];
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

export interface CopiedPages {
  pages: PdfRef[];
  /** Returns the copy of another object of the file, with everything that it refers to. */
  copy(object: PdfObject): PdfObject;
}

/**
 * Copies pages with everything that they refer to. References between them, such as links, lead to the copies. Missing objects
 * become null. The pages of the copy have no parent yet. Strings and streams are copied as they are, so the file must not be
 * encrypted.
 */
export function copyPages(from: PDF, pages: readonly TreePage[], to: PDF): CopiedPages {
  const copies = new Map<string, PdfRef>();
  /** Objects that are registered and not filled yet. A queue instead of recursion: references can form very long chains. */
  const waiting: Array<() => void> = [];

  function copy(object: PdfObject): PdfObject {
    const copied = copyOf(object);
    for (let fill = waiting.pop(); fill !== undefined; fill = waiting.pop()) fill();
    return copied;
  }

  function copyOf(object: PdfObject): PdfObject {
    if (object instanceof PdfRef) return copyOfReference(object);
    if (object instanceof PdfDict) return fillDict(emptyLike(object), object);
    if (object instanceof PdfArray) return new PdfArray([...object].map(copyOf));
    return object;
  }

  function copyOfReference(ref: PdfRef): PdfObject {
    const key = keyOf(ref);
    const known = copies.get(key);
    if (known !== undefined) return known;
    const object = from.context.resolve(ref);
    if (object === null || object === undefined) return PdfNull.instance;
    if (object instanceof PdfDict) {
      const empty = emptyLike(object);
      return remember(key, empty, () => fillDict(empty, object));
    }
    if (object instanceof PdfArray) {
      const empty = new PdfArray([]);
      return remember(key, empty, () => {
        for (const item of object) empty.push(copyOf(item));
      });
    }
    return object;
  }

  function remember(key: string, object: PdfObject, fill: () => void): PdfRef {
    const ref = to.register(object);
    copies.set(key, ref);
    waiting.push(fill);
    return ref;
  }

  function fillDict<Dict extends PdfDict>(copied: Dict, original: PdfDict): Dict {
    for (const [key, value] of original) copied.set(key, copyOf(value));
    return copied;
  }

  const made = pages.map((page) => {
    const dict = new PdfDict();
    const ref = to.register(dict);
    copies.set(keyOf(page.ref), ref);
    return { page, dict, ref };
  });
  for (const { page, dict } of made) {
    for (const [key, value] of page.dict) if (!leftOut.includes(key.value)) dict.set(key, copy(value));
    for (const key of inheritable) {
      const value = dict.has(key) ? undefined : page.inherited(key);
      if (value !== undefined) dict.set(key, copy(value));
    }
  }
  return { pages: made.map(({ ref }) => ref), copy };
}

function emptyLike(object: PdfDict): PdfDict {
  return object instanceof PdfStream ? new PdfStream(new PdfDict(), object.data) : new PdfDict();
}

function keyOf({ objectNumber, generation }: PdfRef): string {
  return `${objectNumber} ${generation}`;
}
