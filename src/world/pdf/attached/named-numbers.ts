import { inflateSync, constants as zlib } from 'node:zlib';
import { type PDF, PdfRef } from '@libpdf/core';
import { highestReference } from './highest-reference.ts';

/** PDFium reads no object with a higher number (`CPDF_Parser::kMaxObjectNumber`); other readers read twice as many. */
const objectNumberMax = 4 * 1024 * 1024;
/** Distance between the highest number that a file names and the first one of ours. */
const margin = 1000;
/** Numbers that must be left for us. The largest seals take a few thousand. */
const room = 500_000;

/** Of the text behind `trailer` in which its size is looked for. */
const trailerBytes = 4096;
/** Of all streams: what stands between `obj` and `stream`. */
const dictionaryBytesMax = 64 * 2 ** 20;
const objectStreamBytesMax = 64 * 2 ** 20;

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
  let highest = highestReference(file);
  for (const { dictionary, start } of streamsOf(file)) {
    if (/\/Index|\/W\b/.test(dictionary)) highest = Math.max(highest, highestIn(dictionary, sizes));
    if (!/\/First\b/.test(dictionary) || !/\/N\b/.test(dictionary)) continue;
    const held = objectStream(file, start, dictionary);
    highest = Math.max(highest, highestReference(held), highestDefined(held.toString('latin1'), dictionary));
  }
  return Math.max(highest, trailerSizes(file));
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

/** Every stream with the text of its dictionary, names unescaped. */
function* streamsOf(file: Buffer): Generator<{ dictionary: string; start: number }> {
  let [object, next, dictionaryBytes] = [-3, file.indexOf('obj'), 0];
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', Math.max(0, at - 3), at) === 'end') continue;
    while (next !== -1 && next < at) [object, next] = [next, file.indexOf('obj', next + 3)];
    dictionaryBytes += at - object;
    if (dictionaryBytes > dictionaryBytesMax) throw new Error('the streams of the file cannot be read');
    const dictionary = file.toString('latin1', object + 3, at);
    const start = at + 6 + (file[at + 6] === 13 ? 1 : 0);
    yield { dictionary: unescaped(dictionary), start: file[start] === 10 ? start + 1 : start };
  }
}

function unescaped(names: string): string {
  return names.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function objectStream(file: Buffer, start: number, dictionary: string): Buffer {
  const end = file.indexOf('endstream', start);
  const data = file.subarray(start, end === -1 ? file.length : end);
  if (!dictionary.includes('/Filter')) return data;
  const isPlain = /\/Filter\s*\[?\s*\/(?:FlateDecode|Fl)\s*(?:\]|\/|>>|$)/.test(dictionary);
  if (!isPlain || /\/Predictor\s*(?!1\b)\d/.test(dictionary)) throw new Error('an object stream cannot be read');
  const limits = { maxOutputLength: objectStreamBytesMax, finishFlush: zlib.Z_SYNC_FLUSH };
  return inflateSync(data, limits);
}

/** The table at the beginning of an object stream: pairs of a number and an offset. */
function highestDefined(text: string, dictionary: string): number {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
  const table = text.slice(0, first).match(/\d+/g) ?? [];
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
