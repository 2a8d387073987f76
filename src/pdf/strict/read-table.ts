import { decoded } from './decode-stream.ts';
import { type IndirectObject, readIndirect } from './read-indirect.ts';
import { AmbiguousError, dictOf, integerOf, isText, listOf, type Value, ValueReader } from './read-value.ts';

/** Where an object is stored: at an offset of the file, or at an index of an object stream. */
export type Place = { offset: number; generation: number } | { stream: number; index: number };

/** The cross-reference sections of a PDF, merged into one table. */
export interface ObjectTable {
  places: Map<number, Place>;
  /** Numbers of free objects, and of objects that are free in one section and used in another. */
  free: Set<number>;
  /** Trailer of the newest section. */
  trailer: Map<string, Value>;
  /** Offset of the newest section. */
  start: number;
  kind: 'table' | 'stream';
}

/** PDFium reads no object with a higher number. */
const objectNumberMax = 4 * 1024 * 1024;
const sectionsMax = 500;
const entriesMax = 2_000_000;

/**
 * Reads the cross-reference sections of a PDF into one table. Stops before the section at offset `until`, when given.
 *
 * @throws `AmbiguousError` when readers could find different objects: in damaged, encrypted and hybrid files, and in files that
 * mix tables and streams.
 */
export function readTable(bytes: Buffer, until: number | null = null): ObjectTable {
  return tableOf([...readSections(bytes, until)]);
}

/** Merges sections, newest first. Throws like `readTable`. */
export function tableOf(sections: readonly Section[]): ObjectTable {
  const [newest] = sections;
  if (newest === undefined) throw new AmbiguousError('no section');
  const { start, trailer, kind } = newest;
  const table: ObjectTable = { places: new Map(), free: new Set(), start, trailer, kind };
  for (const section of sections) {
    if (section.kind !== kind) throw new AmbiguousError('tables and streams');
    addSection(table, section.entries);
  }
  const size = integerOf(trailer.get('/Size'));
  for (const number of table.places.keys()) {
    if (number >= size || number > objectNumberMax) throw new AmbiguousError('an object beyond the size');
  }
  return table;
}

/** An entry of a section. The place of a free object is null. */
type Entry = [number: number, place: Place | null];

export interface Section {
  /** Offsets of its first byte, and behind its trailer or stream. */
  start: number;
  end: number;
  entries: Entry[];
  trailer: Map<string, Value>;
  kind: 'table' | 'stream';
}

/** Reads the sections of a PDF one by one, newest first. Throws like `readTable`. */
export function* readSections(bytes: Buffer, until: number | null = null): Generator<Section, void, undefined> {
  if (bytes.toString('latin1', 0, 5) !== '%PDF-') throw new AmbiguousError('bytes before the header');
  const seen = new Set<number>();
  let entries = 0;
  for (let start: number | null = startOf(bytes); start !== null && start !== until; ) {
    if (seen.has(start) || seen.size >= sectionsMax) throw new AmbiguousError('sections without end');
    seen.add(start);
    const section = readSection(bytes, start);
    entries += section.entries.length;
    if (entries > entriesMax) throw new AmbiguousError('too many entries');
    const before = previous(section.trailer);
    yield section;
    start = before;
    if (start === null && until !== null) throw new AmbiguousError('the sections of the file are not reached');
  }
}

function startOf(bytes: Buffer): number {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 200));
  const digits = /[\r\n]startxref[\r\n ]+(\d{1,10})[\r\n ]+%%EOF[\r\n ]{0,20}$/.exec(end)?.[1];
  if (digits === undefined) throw new AmbiguousError('no startxref at the end');
  return Number(digits);
}

function addSection({ places, free }: Pick<ObjectTable, 'places' | 'free'>, entries: readonly Entry[]): void {
  const own = new Set<number>();
  for (const [number, place] of entries) {
    if (own.has(number)) throw new AmbiguousError('an entry is there twice');
    own.add(number);
    if (place === null || free.has(number)) free.add(number);
    else if (!places.has(number)) places.set(number, place);
  }
}

function previous(trailer: Map<string, Value>): number | null {
  if (trailer.has('/XRefStm') || trailer.has('/Encrypt')) throw new AmbiguousError('a hybrid or encrypted file');
  return trailer.has('/Prev') ? integerOf(trailer.get('/Prev')) : null;
}

function readSection(bytes: Buffer, offset: number): Section {
  const reader = new ValueReader(bytes, offset);
  if (!reader.take('xref')) return sectionOfStream(offset, readIndirect(bytes, offset, integerOf));
  const entries: Entry[] = [];
  for (reader.skipSpace(); !reader.take('trailer'); reader.skipSpace()) {
    const [first, count] = [reader.integer(), reader.integer()];
    reader.skipSpace();
    if (count > entriesMax) throw new AmbiguousError('too many entries');
    const rows = bytes.toString('latin1', reader.at, reader.at + 20 * count);
    for (let i = 0; i < count; i += 1) entries.push([first + i, placeOf(rows.slice(20 * i, 20 * i + 20))]);
    reader.at += 20 * count;
  }
  const trailer = dictOf(reader.value());
  return { start: offset, end: reader.at, entries, trailer, kind: 'table' };
}

function placeOf(row: string): Place | null {
  const [, offset, generation, use] = /^(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)$/.exec(row) ?? [];
  if (offset === undefined) throw new AmbiguousError('a damaged entry');
  return use === 'n' ? { offset: Number(offset), generation: Number(generation) } : null;
}

function sectionOfStream(start: number, { value, data, end }: IndirectObject): Section {
  const trailer = dictOf(value);
  if (data === null || !isText(trailer.get('/Type'), '/XRef')) throw new AmbiguousError('no section');
  const widths = integersOf(trailer.get('/W'));
  const [typeWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  const width = typeWidth + secondWidth + thirdWidth;
  if (widths.length !== 3 || typeWidth !== 1 || Math.max(...widths) > 5 || secondWidth === 0)
    throw new AmbiguousError('unusual fields');
  const ranges = trailer.has('/Index') ? integersOf(trailer.get('/Index')) : [0, integerOf(trailer.get('/Size'))];
  const rows = decoded(trailer, data, width);
  const entries: Entry[] = [];
  for (let range = 0; range < ranges.length; range += 2) {
    const [first = 0, count = 0] = ranges.slice(range);
    if (entries.length + count > rows.length / width) throw new AmbiguousError('fewer entries than promised');
    for (let i = 0; i < count; i += 1) {
      const at = entries.length * width;
      const second = rows.readUIntBE(at + 1, secondWidth);
      const third = thirdWidth === 0 ? 0 : rows.readUIntBE(at + 1 + secondWidth, thirdWidth);
      entries.push([first + i, placeOfType(rows[at] ?? 0, second, third)]);
    }
  }
  if (ranges.length % 2 !== 0 || entries.length * width !== rows.length)
    throw new AmbiguousError('more rows than entries');
  return { start, end, entries, trailer, kind: 'stream' };
}

function placeOfType(type: number, second: number, third: number): Place | null {
  if (type === 0) return null;
  if (type === 1) return { offset: second, generation: third };
  if (type === 2) return { stream: second, index: third };
  throw new AmbiguousError('an unknown type');
}

function integersOf(value: Value | undefined): number[] {
  return listOf(value).map(integerOf);
}
