import { type ObjectTable, readTable } from '../../../pdf/strict/read-table.ts';
import { AmbiguousError, dictOf, integerOf, isSameValue, listOf, type Value } from '../../../pdf/strict/read-value.ts';
import { placesOf, type StrictFile, strictFile } from '../../../pdf/strict/strict-file.ts';
import { pageWalk } from './walk-page.ts';

/** Catalog entries that do not affect pages without form fields. Pages with form fields are always rendered. */
const undrawn = ['/AcroForm', '/Names', '/AF', '/Perms', '/AA', '/OpenAction', '/DSS', '/Extensions'];
const depthMax = 50;
const none: ReadonlySet<number> = new Set();

/**
 * Returns the pages (from 0) of a file that certainly look the same in its sealed PDF, because every object that they are
 * drawn from is the same there. Other pages may have changed, and must be rendered and compared.
 *
 * Returns no pages unless the sealed PDF begins with the file, every reader finds the same objects in both, and the update
 * does not change how pages are found and drawn. Stops when `isLate` returns true, and returns the pages checked so far.
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
    return none; // the pages are rendered instead
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
  if (tree.pages.length !== pageCount) throw new AmbiguousError('another number of pages');
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
  /** Whether an object is unchanged, that is, not defined by the update. */
  isSame(number: number): boolean;
  /** Reads the file without the update. */
  old: StrictFile;
  /** Reads the file with the update. */
  fresh: StrictFile;
  /** Reads the file without the update. Throws for objects that depend on an object that the update defines. */
  same: StrictFile;
}

function redefined(): never {
  throw new AmbiguousError('an object that the update defines');
}

/** Throws unless the update comes from sealing: appended, of the same kind, with the same catalog, and freeing nothing. */
function assertUpdate(table: ObjectTable, update: ObjectTable, length: number): void {
  const isOurs = update.start >= length && update.kind === table.kind && update.free.size === 0;
  const isBehind = [...update.places.values()].every((place) => 'offset' in place && place.offset >= length);
  const isRootSame = isSameValue(table.trailer.get('/Root'), update.trailer.get('/Root'));
  const isLarger = integerOf(update.trailer.get('/Size')) >= integerOf(table.trailer.get('/Size'));
  if (!isOurs || !isBehind || !isRootSame || !isLarger) throw new AmbiguousError('an unusual update');
}

/** Returns the number of the page tree's root. Throws for files with layers, whose pages must be rendered. */
function pagesRoot({ isSame, same, old, fresh }: Files, catalog: number): number {
  const a = dictOf((isSame(catalog) ? same : old).read(catalog));
  const b = isSame(catalog) ? a : dictOf(fresh.read(catalog));
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const isAllowed = undrawn.includes(key) || isSameValue(a.get(key), b.get(key));
    if (key === '/OCProperties' || !isAllowed) throw new AmbiguousError('a catalog that changes how pages are drawn');
  }
  return refOf(a.get('/Pages'));
}

/**
 * Reads the pages in order, and the original nodes of the page tree. A page that the update redefines is null. The update
 * must not change nodes, except for appending pages to the root. A redefined page must still be one page.
 */
function readTree({ isSame, same, old, fresh }: Files, root: number) {
  const pages: Array<Value | null> = [];
  const nodes = new Map<number, Value>();
  const seen = new Set<number>();
  const waiting = [{ number: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { number, depth } = next;
    if (seen.has(number) || depth > depthMax) throw new AmbiguousError('the page tree is no tree');
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

/** Throws unless a page is still a page, and the root only gained one child at its end. */
function assertChange(isRoot: boolean, before: Value, after: Value): void {
  const [a, b] = [dictOf(before), dictOf(after)];
  if (!isRoot && !a.has('/Kids') && !b.has('/Kids')) return;
  const [kids, grown] = [listOf(a.get('/Kids')), listOf(b.get('/Kids'))];
  const isGrown = grown.length === kids.length + 1 && kids.every((kid, index) => isSameValue(kid, grown[index]));
  if (!isRoot || !isGrown || !isSameValue(withoutKids(a), withoutKids(b)))
    throw new AmbiguousError('another page tree');
}

function withoutKids(node: Map<string, Value>): Value {
  return { dict: new Map([...node].filter(([key]) => key !== '/Kids' && key !== '/Count')) };
}

function refOf(value: Value | undefined): number {
  if (value === undefined || !('ref' in value)) throw new AmbiguousError('no reference');
  return value.ref;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
