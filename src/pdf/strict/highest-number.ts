import { decoded } from './decode-stream.ts';
import { dictionaryEnd } from './dictionary-end.ts';
import { highestReference } from './highest-reference.ts';
import { dictOf, integerOf, ValueReader } from './read-value.ts';

/** Maximum object number in PDFium (`CPDF_Parser::kMaxObjectNumber`). Other readers accept twice as many. */
export const objectNumberMax = 4 * 1024 * 1024;
/** Object numbers that must remain above a number in a damaged trailer for it to be believed. */
const room = 501_000;

/** Bytes searched for `/Size` after each `trailer`. */
const trailerBytes = 4096;
/** Maximum total size of all dictionaries: the bytes between `obj` and `stream` or `endobj`. */
const dictionaryBytesMax = 64 * 2 ** 20;
/** Bytes searched in an object whose dictionaries are not closed. */
const unusualBytes = 64 * 1024;

const sizes = /\/Size[\0\t\n\f\r ]+(\d{1,24})/g;

/**
 * Returns the highest object number that a PDF defines or refers to, 0 for none. With `countsSizes`, also every `/Size`, which
 * is the number of the next object.
 *
 * @throws when an object stream cannot be read.
 */
export function highestNumber(bytes: Uint8Array, countsSizes = true): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const objects: number[] = [];
  let highest = highestReference(file, (at) => objects.push(at));
  let bytesRead = 0;
  for (const at of objects) {
    const { end, isStream, isBalanced } = dictionaryEnd(file, at, at + dictionaryBytesMax);
    bytesRead += end - at + (isBalanced ? 0 : unusualBytes);
    if (bytesRead > dictionaryBytesMax) throw new Error('the objects of the file cannot be read');
    if (!isBalanced) assertNoObjectStream(file, at, end);
    else if (isStream) highest = Math.max(highest, highestOfStream(file, at, end, countsSizes));
  }
  return countsSizes ? Math.max(highest, trailerSizes(file)) : highest;
}

/** Throws when a reader may find an object stream in a dictionary whose end is unclear. */
function assertNoObjectStream(file: Buffer, at: number, end: number): void {
  const keys = unescaped(file.toString('latin1', at, end + unusualBytes));
  if (isObjectStream(keys) && keys.includes('stream')) throw new Error('an object stream cannot be read');
}

function isObjectStream(keys: string): boolean {
  return /\/First\b/.test(keys) && /\/N\b/.test(keys);
}

/** `at` is the offset of the stream's dictionary, `end` the offset of the keyword `stream`. */
function highestOfStream(file: Buffer, at: number, end: number, countsSizes: boolean): number {
  const keys = unescaped(file.toString('latin1', at, end));
  const size = countsSizes && /\/Index|\/W\b/.test(keys) ? highestIn(keys, sizes) : 0;
  if (!isObjectStream(keys)) return size;
  const reader = new ValueReader(file, at);
  const dictionary = dictOf(reader.value());
  reader.skipSpace();
  if (reader.at !== end) throw new Error('an object stream cannot be read');
  const start = end + 'stream'.length;
  // Compressed data marks its own end. Uncompressed data is searched up to the end of the file.
  const held = decoded(dictionary, file.subarray(start + lineEndBytes(file, start)), null);
  const table = held.toString('latin1', 0, integerOf(dictionary.get('/First')));
  return Math.max(size, highestReference(held), highestDefined(table));
}

function lineEndBytes(file: Buffer, at: number): number {
  return file[at] === 13 ? (file[at + 1] === 10 ? 2 : 1) : file[at] === 10 ? 1 : 0;
}

function highestIn(text: string, pattern: RegExp): number {
  let highest = 0;
  for (const [, digits = ''] of text.matchAll(pattern)) highest = Math.max(highest, valid(digits));
  return highest;
}

/** Returns 0 for a number too large to refer to an object. Some readers truncate it to 32 bits, so this does too. */
function valid(digits: string): number {
  const number = digits.length < 10 ? Number(digits) : Number(BigInt(digits) % 2n ** 32n);
  return number <= 2 * objectNumberMax ? number : 0;
}

function unescaped(names: string): string {
  return names.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the highest number in the table at the start of an object stream: pairs of object number and offset. */
function highestDefined(text: string): number {
  const table = text.match(/\d+/g) ?? [];
  return table.reduce((highest, digits, i) => (i % 2 === 0 ? Math.max(highest, valid(digits)) : highest), 0);
}

/** Returns the highest `/Size` of the trailers. A damaged file may state any size, so impossible sizes are ignored. */
function trailerSizes(file: Buffer): number {
  let highest = 0;
  for (let at = file.indexOf('trailer'); at !== -1; at = file.indexOf('trailer', at + 7)) {
    const size = highestIn(file.toString('latin1', at, at + trailerBytes), sizes);
    if (size + room <= objectNumberMax) highest = Math.max(highest, size);
  }
  return highest;
}
