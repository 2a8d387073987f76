import { highestNumber } from '../strict/highest-number.ts';
import { readIndirect } from '../strict/read-indirect.ts';
import { type ObjectTable, readSections, readTable, type Section, tableOf } from '../strict/read-table.ts';
import { AmbiguousError, dictOf, integerOf, isSameValue, isText, type Value } from '../strict/read-value.ts';
import { placesOf, type StrictFile, strictFile } from '../strict/strict-file.ts';
import { type DataOf, stampAt, timeStampOf } from './added-time-stamps.ts';
import { added, assertSameBut, type Dict, dictIn, keptRefs, listIn, refOf, refsOf } from './compare-values.ts';
import type { FoundSeal } from './find-seals.ts';

/** What was added to a file after its seal, when it shows nothing. */
export interface ValidationUpdate {
  /** Bytes added. */
  bytes: number;
  /** The document time-stamps among them (ISO 32000-2, 12.8.5), in order. They are not checked. */
  stamps: FoundSeal[];
}

/**
 * Reads what follows the first `sealedBytes` bytes of a file. Returns null unless all of it is data for checking signatures years
 * later (PAdES B-LT and B-LTA, ETSI EN 319 142-1, 5.4): a document security store, and time-stamps in invisible fields.
 *
 * Everything else in the document must be the same: new objects have numbers that the sealed part does not mention, and
 * the only objects that change are those that such an update must change. Files that readers may understand differently
 * are not accepted.
 */
export function readValidationUpdate(file: Buffer, sealedBytes: number): ValidationUpdate | null {
  try {
    return examineUpdate(file, sealedBytes);
  } catch {
    return null;
  }
}

/** Time for reading a file. What takes longer is not accepted. */
const msMax = 5000;

/**
 * Examines each incremental update against the file before it, so that no update can undo what an earlier one changed: readers
 * show what a time-stamp covered.
 */
function examineUpdate(file: Buffer, sealedBytes: number): ValidationUpdate | null {
  const sealed = file.subarray(0, sealedBytes);
  const { table, isWhole } = oldTable(sealed);
  const started = performance.now();
  const isLate = () => performance.now() - started > msMax;
  const sections = [...readSections(file, table.start)].reverse();
  let before: State = {
    bytes: sealedBytes,
    file: strictFile(sealed, placesOf(table), isLate),
    sealed: table,
    added: { ...table, places: new Map(), free: new Set() },
    trailer: table.trailer,
    highest: highestNumber(sealed, false),
    containers: containersIn(table),
    isWhole,
  };
  const stamps: FoundSeal[] = [];
  for (const [index, section] of sections.entries()) {
    const isNewest = index === sections.length - 1;
    const bytes = isNewest ? file.length : endOfUpdate(file, section);
    const next = examineSection(before, file.subarray(0, bytes), section, isLate);
    if (next === null) return null;
    stamps.push(...next.stamps);
    before = next.state;
  }
  return sections.length === 0 ? null : { bytes: file.length - sealedBytes, stamps };
}

/** A file up to the end of an update, with its tables. */
interface State {
  bytes: number;
  file: StrictFile;
  sealed: ObjectTable;
  /** The objects of the updates so far. */
  added: ObjectTable;
  /** The trailer of the newest section. */
  trailer: Dict;
  /** The highest object number that is defined or referred to. */
  highest: number;
  /** Numbers of the object streams. No reference leads to them, and they hold other objects. */
  containers: ReadonlySet<number>;
  /** Whether the table of the sealed part was readable as a whole. */
  isWhole: boolean;
}

/** Examines one update, which ends with `file`. Returns null when it changes anything else. */
function examineSection(
  state: State,
  file: Buffer,
  section: Section,
  isLate: () => boolean,
): { state: State; stamps: FoundSeal[] } | null {
  const { file: before, sealed, added: earlier } = state;
  const update = tableOf([section]);
  const after = strictFile(file, placesOf(update, earlier, sealed), isLate);
  const dataOf = readAdded(file, state.bytes, section, update, after);
  assertSameTrailer(state, section);

  const isUnmentioned = numbersAbove(state.highest);
  const root = refOf(state.trailer.get('/Root'));
  const { fields, allowed } = readForm(before, after, root);
  if (!fields.every(isUnmentioned)) return null;
  const signatures = fields.map((number) => timeStampOf(after, dataOf, dictOf(after.read(number))));
  const redefined = [...update.places.keys()].filter((number) => !isUnmentioned(number));
  if (redefined.some((number) => hasGeneration(earlier.places.has(number) ? earlier : sealed, number))) return null;
  const unexplained = () => redefined.filter((number) => !allowed.has(number));
  if (unexplained().length > 0) {
    // Only a whole table shows what else the sealed part uses.
    if (!state.isWhole) return null;
    for (const number of fields) allowPage(allowed, number, fields, before, after);
  }
  if (redefined.some((number) => state.containers.has(number))) return null;
  if (!areOnlyOfStore(unexplained(), state, root)) return null;

  const stamps = signatures.map((signature) => stampAt(file, state.bytes, signature));
  const bytes = file.length;
  const highest = Math.max(state.highest, highestNumber(file.subarray(state.bytes), false));
  const containers = new Set([...state.containers, ...containersIn(update)]);
  const added = { ...update, places: new Map([...earlier.places, ...update.places]) };
  return { state: { ...state, bytes, file: after, added, trailer: section.trailer, highest, containers }, stamps };
}

/** Returns the end of an update that another one follows: behind its section and the white space after it. */
function endOfUpdate(file: Buffer, { start, end }: Section): number {
  let at = endOfSection(file, start, end);
  while (file[at] === 10 || file[at] === 13 || file[at] === 32) at += 1;
  return at;
}

/** Reads the table of the sealed part. In a file that is damaged further up, only the section that sealing wrote. */
function oldTable(sealed: Buffer): { table: ObjectTable; isWhole: boolean } {
  try {
    return { table: readTable(sealed), isWhole: true };
  } catch {
    const [newest] = readSections(sealed);
    return { table: tableOf(newest === undefined ? [] : [newest]), isWhole: false };
  }
}

function hasGeneration({ places }: ObjectTable, number: number): boolean {
  const place = places.get(number);
  return place !== undefined && 'offset' in place && place.generation !== 0;
}

/** Returns the object streams. No reference leads to them, and they hold other objects. */
function containersIn({ places }: ObjectTable): Set<number> {
  return new Set([...places.values()].flatMap((place) => ('stream' in place ? [place.stream] : [])));
}

function numbersAbove(highest: number): (number: number) => boolean {
  return (number) => number > highest;
}

/** Reads the added objects. Throws unless the added bytes consist of the section, the objects that it lists, and white space. */
function readAdded(
  file: Buffer,
  from: number,
  { start, end, entries }: Section,
  update: ObjectTable,
  after: StrictFile,
): DataOf {
  const ends = new Map([[start, endOfSection(file, start, end)]]);
  const data = new Map<number, Buffer | null>();
  for (const [number, place] of entries) {
    if (place === null && number !== 0) throw new AmbiguousError('an object is freed');
    if (place === null || !('offset' in place) || place.offset === start) continue;
    const object = readIndirect(file, place.offset, (length) => integerOf(after.follow(length)));
    // References of another generation lead to nothing in some readers.
    const isSame = object.number === number && object.generation === 0 && place.generation === 0;
    if (!isSame) throw new AmbiguousError('another object at its place');
    ends.set(place.offset, object.end);
    data.set(place.offset, object.data);
  }
  let at = from;
  for (const [first, last] of [...ends].sort(([a], [b]) => a - b)) {
    assertSpace(file, at, first);
    at = last;
  }
  assertSpace(file, at, file.length);
  return (number) => {
    const place = update.places.get(number);
    return place !== undefined && 'offset' in place ? (data.get(place.offset) ?? null) : null;
  };
}

const footer = /^[\r\n ]*startxref[\r\n ]+(\d{1,10})[\r\n ]+%%EOF/;

function endOfSection(file: Buffer, start: number, end: number): number {
  const [text, offset] = footer.exec(file.toString('latin1', end, end + 100)) ?? [];
  if (text === undefined || Number(offset) !== start) throw new AmbiguousError('a section without an end');
  return end + text.length;
}

function assertSpace(file: Buffer, from: number, to: number): void {
  if (to < from || !/^[\r\n ]*$/.test(file.toString('latin1', from, to)))
    throw new AmbiguousError('bytes between objects');
}

/** A smaller `/Size` would hide objects. */
function assertSameTrailer({ trailer: old, sealed }: State, { trailer, kind }: Section): void {
  const isSame = ['/Root', '/Info'].every((key) => isSameValue(old.get(key), trailer.get(key)));
  const isLarger = integerOf(trailer.get('/Size')) >= integerOf(old.get('/Size'));
  if (!isSame || !isLarger || sealed.kind !== kind) throw new AmbiguousError('another trailer');
}

/** Keys of the catalog that such an update changes. `/Extensions` only names the features in use. */
const changedInCatalog = ['/DSS', '/AcroForm', '/Extensions'];

/** Returns the fields that an update adds to the form, and the objects that it may redefine for that. Throws for other changes. */
function readForm(before: StrictFile, after: StrictFile, root: number): { fields: number[]; allowed: Set<number> } {
  const [oldCatalog, newCatalog] = [dictOf(before.read(root)), dictOf(after.read(root))];
  assertSameBut(changedInCatalog, oldCatalog, newCatalog);
  const [oldForm, newForm] = [dictIn(before, oldCatalog, '/AcroForm'), dictIn(after, newCatalog, '/AcroForm')];
  assertSameBut(['/Fields', '/SigFlags'], oldForm, newForm);
  const allowed = new Set([
    root,
    ...keptRefs(oldCatalog, newCatalog, '/AcroForm'),
    ...keptRefs(oldForm, newForm, '/Fields'),
  ]);
  const fields = added(listIn(before, oldForm, '/Fields'), listIn(after, newForm, '/Fields')).map(refOf);
  return { fields, allowed };
}

/** Allows an update to add widgets of `fields` to the page of field `number`, and to do nothing else to it. */
function allowPage(
  allowed: Set<number>,
  number: number,
  fields: readonly number[],
  before: StrictFile,
  after: StrictFile,
): void {
  const [page] = refsOf(dictOf(after.read(number)).get('/P'));
  if (page === undefined) return;
  const [oldPage, newPage] = [dictOf(before.read(page)), dictOf(after.read(page))];
  if (!isText(oldPage.get('/Type'), '/Page')) throw new AmbiguousError('a field without a page');
  assertSameBut(['/Annots'], oldPage, newPage);
  const widgets = added(listIn(before, oldPage, '/Annots'), listIn(after, newPage, '/Annots')).map(refOf);
  if (!widgets.every((widget) => fields.includes(widget))) throw new AmbiguousError('another annotation');
  for (const checked of [page, ...keptRefs(oldPage, newPage, '/Annots')]) allowed.add(checked);
}

const reachedMax = 1_000_000;

/** Whether the file uses these objects only for the document security store, so that no reader shows them. */
function areOnlyOfStore(
  numbers: readonly number[],
  { file: before, sealed, added: earlier, trailer }: State,
  root: number,
): boolean {
  if (numbers.length === 0) return true;
  const catalog = new Map([...dictOf(before.read(root))].filter(([key]) => key !== '/DSS'));
  const wanted = new Set(numbers);
  const reached = new Set<number>([root]);
  const waiting: Value[] = [{ dict: catalog }, trailer.get('/Info') ?? { text: 'null' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('list' in next) for (const item of next.list) waiting.push(item);
    else if ('dict' in next) for (const item of next.dict.values()) waiting.push(item);
    else if ('ref' in next && !reached.has(next.ref)) {
      if (wanted.has(next.ref) || reached.size === reachedMax) return false;
      reached.add(next.ref);
      if (earlier.places.has(next.ref) || sealed.places.has(next.ref)) waiting.push(before.read(next.ref));
    }
  }
  return true;
}
