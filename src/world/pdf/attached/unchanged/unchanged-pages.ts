import { type ObjectTable, readTable } from './read-table.ts';
import { Ambiguous, dictOf, integerOf, isSameValue, listOf, type Value } from './read-value.ts';
import { placesOf, type StrictFile, strictFile } from './strict-file.ts';
import { pageWalk } from './walk-page.ts';

/** Entries of the catalog on which no page depends that has no form fields. A page with form fields is always rendered. */
const undrawn = ['/AcroForm', '/Names', '/AF', '/Perms', '/AA', '/OpenAction', '/DSS', '/Extensions'];
const depthMax = 50;
const none: ReadonlySet<number> = new Set();

/**
 * The pages (from 0) of a file that look the same in its sealed PDF, because nothing that they are drawn from can be
 * another object there. Other pages may look the same or not, and must be rendered. No page is named unless the sealed
 * PDF begins with the file, both are written so that every reader finds the same objects in them, and the update leaves
 * alone how the pages are found and drawn. When `isLate`, the pages that are left must be rendered.
 */
export function unchangedPages(
  file: Uint8Array,
  sealed: Uint8Array,
  pageCount: number,
  isLate: () => boolean,
): ReadonlySet<number> {
  const [before, after] = [bufferOf(file), bufferOf(sealed)];
  if (!after.subarray(0, before.length).equals(before)) return none;
  try {
    return comparedPages(before, after, pageCount, isLate);
  } catch {
    return none; // in doubt the pages are rendered
  }
}

function comparedPages(before: Buffer, after: Buffer, pageCount: number, isLate: () => boolean): ReadonlySet<number> {
  const table = readTable(before);
  const update = readTable(after, table.start);
  assertUpdate(table, update, before.length);
  const placeOf = placesOf(table);
  const files: Files = {
    isSame: (number) => !update.places.has(number),
    old: strictFile(before, placeOf, isLate),
    fresh: strictFile(after, placesOf(update, table), isLate),
    same: strictFile(before, (number) => (files.isSame(number) ? placeOf(number) : redefined()), isLate),
  };
  const tree = readTree(files, pagesRoot(files, refOf(table.trailer.get('/Root'))));
  if (tree.pages.length !== pageCount) throw new Ambiguous('another number of pages');
  const walk = pageWalk(files.same, (number) => tree.nodes.get(number) ?? redefined());
  return new Set([...tree.pages.keys()].filter((index) => isUnchanged(() => walk(tree.pages[index] ?? redefined()))));
}

function isUnchanged(walk: () => void): boolean {
  try {
    walk();
    return true;
  } catch {
    return false;
  }
}

interface Files {
  /** Whether the update does not define an object. */
  isSame(number: number): boolean;
  /** The file alone. */
  old: StrictFile;
  /** The file with the update. */
  fresh: StrictFile;
  /** The file alone. Throws for whatever depends on an object that the update defines. */
  same: StrictFile;
}

function redefined(): never {
  throw new Ambiguous('an object that the update defines');
}

/** The update must be ours: behind the file, written like it, with the same catalog, and hide nothing of it. */
function assertUpdate(table: ObjectTable, update: ObjectTable, length: number): void {
  const isOurs = update.start >= length && update.kind === table.kind && update.free.size === 0;
  const isBehind = [...update.places.values()].every((place) => 'offset' in place && place.offset >= length);
  const isRootSame = isSameValue(table.trailer.get('/Root'), update.trailer.get('/Root'));
  const isLarger = integerOf(update.trailer.get('/Size')) >= integerOf(table.trailer.get('/Size'));
  if (!isOurs || !isBehind || !isRootSame || !isLarger) throw new Ambiguous('an unusual update');
}

/** The number of the root of the page tree. Layers change how pages look, and are left to rendering. */
function pagesRoot({ isSame, same, old, fresh }: Files, catalog: number): number {
  const a = dictOf((isSame(catalog) ? same : old).read(catalog));
  const b = isSame(catalog) ? a : dictOf(fresh.read(catalog));
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const isAllowed = undrawn.includes(key) || isSameValue(a.get(key), b.get(key));
    if (key === '/OCProperties' || !isAllowed) throw new Ambiguous('a catalog that changes how pages are drawn');
  }
  return refOf(a.get('/Pages'));
}

/**
 * The pages in their order, null for those that the update defines again, and the nodes above them as they were. Nodes
 * must not change, but pages may stand behind those that the root had. A page that is defined again must still be one page.
 */
function readTree({ isSame, same, old, fresh }: Files, root: number) {
  const pages: Array<Value | null> = [];
  const nodes = new Map<number, Value>();
  const seen = new Set<number>();
  const waiting = [{ number: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { number, depth } = next;
    if (seen.has(number) || depth > depthMax) throw new Ambiguous('the page tree is no tree');
    seen.add(number);
    const value = (isSame(number) ? same : old).read(number);
    const isNode = dictOf(value).has('/Kids');
    if (!isSame(number)) assertChange(number === root, value, fresh.read(number));
    if (!isNode) {
      pages.push(isSame(number) ? value : null);
      continue;
    }
    nodes.set(number, value);
    const kids = listOf(same.follow(dictOf(value).get('/Kids')));
    for (const kid of [...kids].reverse()) waiting.push({ number: refOf(kid), depth: depth + 1 });
  }
  return { pages, nodes };
}

/** A page stays a page. One node stands behind those that the root had, whose other entries are as they were. */
function assertChange(isRoot: boolean, before: Value, after: Value): void {
  const [a, b] = [dictOf(before), dictOf(after)];
  if (!isRoot && !a.has('/Kids') && !b.has('/Kids')) return;
  const [kids, grown] = [listOf(a.get('/Kids')), listOf(b.get('/Kids'))];
  const isGrown = grown.length === kids.length + 1 && kids.every((kid, index) => isSameValue(kid, grown[index]));
  if (!isRoot || !isGrown || !isSameValue(withoutKids(a), withoutKids(b))) throw new Ambiguous('another page tree');
}

function withoutKids(node: Map<string, Value>): Value {
  return { dict: new Map([...node].filter(([key]) => key !== '/Kids' && key !== '/Count')) };
}

function refOf(value: Value | undefined): number {
  if (value === undefined || !('ref' in value)) throw new Ambiguous('no reference');
  return value.ref;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
