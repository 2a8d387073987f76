import { decoded } from './decode-stream.ts';
import { type IndirectObject, readIndirect } from './read-indirect.ts';
import type { ObjectTable, Place } from './read-table.ts';
import { AmbiguousError, dictOf, integerOf, isText, type Value, ValueReader } from './read-value.ts';

/** Reads objects of a PDF. Both functions throw `AmbiguousError` for objects that readers may understand differently. */
export interface StrictFile {
  /** Reads an object. Throws when it does not exist. */
  read(number: number): Value;
  /** Returns the value that a reference refers to, or the value itself. */
  follow(value: Value | undefined): Value | undefined;
}

/** Returns the place of an object, or null when it does not exist. */
export type PlaceOf = (number: number) => Place | null;

const objectStreamBytesMax = 128 * 2 ** 20;

/**
 * Makes a reader for a PDF. `placeOf` may throw for an object that must not be read. Object streams and lengths are looked up
 * through it too.
 */
export function strictFile(bytes: Buffer, placeOf: PlaceOf, isLate: () => boolean): StrictFile {
  const streams = new Map<number, ObjectStream>();
  let streamBytes = 0;

  function read(number: number): Value {
    if (isLate()) throw new AmbiguousError('too much to read');
    const place = placeOf(number);
    if (place === null) throw new AmbiguousError('an object that does not exist');
    if ('offset' in place) return objectAt(number, place.offset).value;
    return (streams.get(place.stream) ?? openStream(place.stream)).read(number, place.index);
  }

  function openStream(number: number): ObjectStream {
    const place = placeOf(number);
    if (place === null || !('offset' in place)) throw new AmbiguousError('no object stream');
    const stream = objectStream(objectAt(number, place.offset));
    streamBytes += stream.bytes;
    if (streamBytes > objectStreamBytesMax) throw new AmbiguousError('too much in object streams');
    streams.set(number, stream);
    return stream;
  }

  function objectAt(number: number, offset: number): IndirectObject {
    const object = readIndirect(bytes, offset, (length) => integerOf(follow(length)));
    if (object.number !== number) throw new AmbiguousError('another object at its place');
    return object;
  }

  function follow(value: Value | undefined): Value | undefined {
    const found = value !== undefined && 'ref' in value ? read(value.ref) : value;
    if (found !== undefined && 'ref' in found) throw new AmbiguousError('a reference to a reference');
    return found;
  }

  return { read, follow };
}

/** Looks up objects in several tables, newest table first. */
export function placesOf(...tables: ObjectTable[]): PlaceOf {
  return (number) => {
    const table = tables.find(({ places, free }) => places.has(number) || free.has(number));
    return table?.free.has(number) ? null : (table?.places.get(number) ?? null);
  };
}

interface ObjectStream {
  bytes: number;
  read(number: number, index: number): Value;
}

/** Reads an object stream. It begins with the numbers and offsets of its objects (ISO 32000-1, 7.5.7). */
function objectStream({ value, data }: IndirectObject): ObjectStream {
  const dict = dictOf(value);
  if (data === null || !isText(dict.get('/Type'), '/ObjStm') || dict.has('/Extends'))
    throw new AmbiguousError('no object stream');
  const [count, first] = [integerOf(dict.get('/N')), integerOf(dict.get('/First'))];
  const plain = decoded(dict, data, null);
  const table = new ValueReader(plain.subarray(0, first), 0);
  if (first > plain.length || count > first) throw new AmbiguousError('a damaged object stream');
  const numbers: number[] = [];
  const offsets: number[] = [];
  for (let i = 0; i < count; i += 1) {
    numbers.push(table.integer());
    offsets.push(table.integer());
  }
  if (new Set(numbers).size !== count) throw new AmbiguousError('an object is there twice');
  return {
    bytes: plain.length,
    read(number, index) {
      const offset = offsets[index];
      if (numbers[index] !== number || offset === undefined) throw new AmbiguousError('another object at its place');
      return new ValueReader(plain, first + offset).value();
    },
  };
}
