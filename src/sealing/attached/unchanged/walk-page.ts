import { AmbiguousError, dictOf, isText, listOf, type Value } from '../../../pdf/strict/read-value.ts';
import type { StrictFile } from '../../../pdf/strict/strict-file.ts';

/** Entries that lead to other pages and do not affect what is drawn. */
const undrawnOfPage = ['/Parent', '/Annots', '/B', '/AA', '/Metadata', '/PieceInfo', '/Thumb'];
const undrawnOfAnnotation = ['/P', '/Parent', '/Popup', '/IRT', '/Dest', '/A', '/AA', '/PA'];
const undrawnOfNode = ['/Kids', '/Parent', '/Count'];
/** Annotation types that PDFium never draws a generated appearance for. */
const withoutAppearance = ['/Link', '/Popup'];
const ancestorsMax = 50;

/**
 * Makes a function that follows every object that a page is drawn from. Objects that were followed once are skipped for
 * later pages. `readNode` reads a node of the page tree, and throws for other objects.
 *
 * @throws `AmbiguousError` (the returned function) when the page could be drawn differently, because it reaches an object that
 * `file` cannot read.
 */
export function pageWalk(file: StrictFile, readNode: (number: number) => Value): (page: Value) => void {
  const followed = new Set<number>();

  return (page) => {
    const latest = new Set<number>();
    const waiting: Value[] = [];
    walkPage(dictOf(page), waiting);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if ('list' in next) for (const item of next.list) waiting.push(item);
      else if ('dict' in next) for (const item of next.dict.values()) waiting.push(item);
      else if ('ref' in next && !followed.has(next.ref) && !latest.has(next.ref)) {
        latest.add(next.ref);
        waiting.push(file.read(next.ref));
      }
    }
    for (const number of latest) followed.add(number);
  };

  function walkPage(page: Map<string, Value>, waiting: Value[]): void {
    addDrawn(page, undrawnOfPage, waiting);
    walkAncestors(page.get('/Parent'), waiting);
    const annotations = file.follow(page.get('/Annots'));
    if (annotations === undefined || isText(annotations, 'null')) return;
    for (const item of listOf(annotations)) walkAnnotation(dictOf(file.follow(item)), waiting);
  }

  /** Follows the nodes above a page, from which it inherits. */
  function walkAncestors(parent: Value | undefined, waiting: Value[]): void {
    let above = parent;
    for (let depth = 0; above !== undefined; depth += 1) {
      if (!('ref' in above) || depth > ancestorsMax) throw new AmbiguousError('no tree of pages');
      const node = dictOf(readNode(above.ref));
      addDrawn(node, undrawnOfNode, waiting);
      above = node.get('/Parent');
    }
  }

  /** Throws for form fields and annotations without an appearance: PDFium draws them from other parts of the document. */
  function walkAnnotation(dict: Map<string, Value>, waiting: Value[]): void {
    const type = file.follow(dict.get('/Subtype'));
    const isBare = !dict.has('/AP') && !withoutAppearance.some((name) => isText(type, name));
    if (type === undefined || isText(type, '/Widget') || isBare)
      throw new AmbiguousError('an annotation to be rendered');
    addDrawn(dict, undrawnOfAnnotation, waiting);
  }
}

function addDrawn(dict: Map<string, Value>, undrawn: readonly string[], waiting: Value[]): void {
  for (const [key, value] of dict) if (!undrawn.includes(key)) waiting.push(value);
}
