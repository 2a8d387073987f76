import { AmbiguousError, type Value, ValueReader } from './read-value.ts';

export interface IndirectObject {
  number: number;
  generation: number;
  value: Value;
  /** The encoded data of a stream. Null for other objects. */
  data: Buffer | null;
  /** Offset behind its `endobj`. */
  end: number;
}

/**
 * Reads the object at an offset, up to its `endobj`. `lengthOf` resolves the `/Length` of a stream.
 *
 * @throws `AmbiguousError` for an object that readers must repair.
 */
export function readIndirect(bytes: Buffer, offset: number, lengthOf: (value: Value) => number): IndirectObject {
  const reader = new ValueReader(bytes, offset);
  const start = /^\d/.test(bytes.toString('latin1', offset, offset + 1));
  const number = reader.integer();
  const generation = reader.integer();
  reader.skipSpace();
  if (!start || !reader.take('obj')) throw new AmbiguousError('no object at its place');
  const value = reader.value();
  reader.skipSpace();
  const data = reader.take('stream') ? dataOf(bytes, reader, value, lengthOf) : null;
  reader.skipSpace();
  if (!reader.take('endobj')) throw new AmbiguousError('an object has no end');
  return { number, generation, value, data, end: reader.at };
}

function dataOf(bytes: Buffer, reader: ValueReader, value: Value, lengthOf: (value: Value) => number): Buffer {
  const length = 'dict' in value ? value.dict.get('/Length') : undefined;
  if (length === undefined) throw new AmbiguousError('a stream without a length');
  if (bytes[reader.at] === 13) reader.at += 1;
  if (bytes[reader.at] !== 10) throw new AmbiguousError('no line end before the data');
  const from = reader.at + 1;
  reader.at = from + lengthOf(length);
  const data = bytes.subarray(from, reader.at);
  reader.skipSpace();
  if (!reader.take('endstream')) throw new AmbiguousError('the length of a stream is wrong');
  return data;
}
