import { type PDF, PdfRef } from '@libpdf/core';
import { dictionaryEnd } from './dictionary-end.ts';
import { highestReference } from './highest-reference.ts';
import { decoded } from './unchanged/decode-stream.ts';
import { dictOf, integerOf, ValueReader } from './unchanged/read-value.ts';

/** PDFium reads no object with a higher number (`CPDF_Parser::kMaxObjectNumber`); other readers read twice as many. */
const objectNumberMax = 4 * 1024 * 1024;
/** Distance between the highest number that a file names and the first one of ours. */
const margin = 1000;
/** Numbers that must be left for us. The largest seals take a few thousand. */
const room = 500_000;

/** Of the text behind `trailer` in which its size is looked for. */
const trailerBytes = 4096;
/** Of all objects: what stands between `obj` and `stream` or `endobj`. */
const dictionaryBytesMax = 64 * 2 ** 20;
/** How far an object whose dictionaries are not closed is searched. */
const unusualBytes = 64 * 1024;

const sizes = /\/Size[\0\t\n\f\r ]+(\d{1,24})/g;

/**
 * Makes the next objects of a PDF take numbers far above every number that the file names anywhere, also in objects that
 * nothing uses and in references to objects that do not exist. Such a reference would otherwise show one of our objects,
 * for example what a recipient typed, as part of a page. Throws when the file leaves no room for them.
 */
export function takeFarNumbers(pdf: PDF, bytes: Uint8Array): void {
  const { registry } = pdf.context;
  const first = Math.max(highestNumber(bytes) + 1, registry.nextObjectNumber) + margin;
  if (first + room > objectNumberMax) throw new Error('the file leaves no object numbers for a seal');
  // libpdf continues behind the highest number that it was asked for.
  registry.resolve(PdfRef.of(first - 1, 0));
}

/** The highest object number that a PDF defines or refers to, 0 for none. Throws when an object stream cannot be read. */
export function highestNumber(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const objects: number[] = [];
  let highest = highestReference(file, (at) => objects.push(at));
  let bytesRead = 0;
  for (const at of objects) {
    const { end, isStream, isBalanced } = dictionaryEnd(file, at, at + dictionaryBytesMax);
    bytesRead += end - at + (isBalanced ? 0 : unusualBytes);
    if (bytesRead > dictionaryBytesMax) throw new Error('the objects of the file cannot be read');
    if (!isBalanced) assertNoObjectStream(file, at, end);
    else if (isStream) highest = Math.max(highest, highestOfStream(file, at, end));
  }
  return Math.max(highest, trailerSizes(file));
}

/** Readers disagree where the dictionary ends. Throws when one of them may find an object stream. */
function assertNoObjectStream(file: Buffer, at: number, end: number): void {
  const keys = unescaped(file.toString('latin1', at, end + unusualBytes));
  if (isObjectStream(keys) && keys.includes('stream')) throw new Error('an object stream cannot be read');
}

function isObjectStream(keys: string): boolean {
  return /\/First\b/.test(keys) && /\/N\b/.test(keys);
}

/** `at` is where the dictionary of the stream begins, `end` where the word `stream` is. */
function highestOfStream(file: Buffer, at: number, end: number): number {
  const keys = unescaped(file.toString('latin1', at, end));
  const size = /\/Index|\/W\b/.test(keys) ? highestIn(keys, sizes) : 0;
  if (!isObjectStream(keys)) return size;
  const reader = new ValueReader(file, at);
  const dictionary = dictOf(reader.value());
  reader.skipSpace();
  if (reader.at !== end) throw new Error('an object stream cannot be read');
  const start = end + 'stream'.length;
  // Compressed data says itself where it ends. Plain data is searched up to the end of the file.
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

/** A number that is too large refers to nothing, except in a reader that cuts it off after 32 bits. */
function valid(digits: string): number {
  const number = digits.length < 10 ? Number(digits) : Number(BigInt(digits) % 2n ** 32n);
  return number <= 2 * objectNumberMax ? number : 0;
}

function unescaped(names: string): string {
  return names.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The table at the beginning of an object stream: pairs of a number and an offset. */
function highestDefined(text: string): number {
  const table = text.match(/\d+/g) ?? [];
  return table.reduce((highest, digits, i) => (i % 2 === 0 ? Math.max(highest, valid(digits)) : highest), 0);
}

/** A damaged file may claim any size: one that leaves no room is no number of an object. */
function trailerSizes(file: Buffer): number {
  let highest = 0;
  for (let at = file.indexOf('trailer'); at !== -1; at = file.indexOf('trailer', at + 7)) {
    const size = highestIn(file.toString('latin1', at, at + trailerBytes), sizes);
    if (size + margin + room <= objectNumberMax) highest = Math.max(highest, size);
  }
  return highest;
}
