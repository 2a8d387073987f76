import { type PDF, PdfArray, type PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core';

const contentBytesMax = 64 * 2 ** 20;

/** Filters that libpdf decodes. Readers know further names for them, and other filters. */
const knownFilters = ['FlateDecode', 'LZWDecode', 'ASCIIHexDecode', 'ASCII85Decode', 'RunLengthDecode'];

/** What the content of a page leaves open. */
export interface OpenParts {
  /** Saved graphics states (`q`). They would move and scale what is drawn after them. */
  states: number;
  /** Marked content (`BMC`, `BDC`). It may belong to a hidden layer, and what is drawn after it would be hidden too. */
  marked: number;
}

/**
 * Counts what must be closed before anything is drawn after the content. Returns null when nothing may be drawn after it: for content
 * that restores a state (`Q`) which it never saved or ends within a text or a path, and for content that readers may understand in another
 * way than this one.
 */
export function countOpenParts(pdf: PDF, page: PdfDict): OpenParts | null {
  try {
    const parts = contentsOf(pdf, page);
    const content = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
    const seams = new Set<number>();
    for (let at = 0, index = 0; index < parts.length - 1; index++, at++) {
      at += parts[index]?.length ?? 0;
      seams.add(at);
    }
    const open = countOpen(content, seams);
    if (open === null || !open.isDivided) return open;
    // A comment at the end of a part ends there for some readers, and goes on in the next part for others.
    for (const seam of seams) content[seam] = 0x20;
    const other = countOpen(content, seams);
    return open.states === other?.states && open.marked === other.marked ? open : null;
  } catch {
    return null;
  }
}

function contentsOf(pdf: PDF, page: PdfDict): Uint8Array[] {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const contents = page.get('Contents', resolve);
  const parts = contents instanceof PdfArray ? [...contents] : [contents];
  let bytes = 0;
  return parts.map((part) => {
    const stream = part instanceof PdfRef ? resolve(part) : part;
    if (!(stream instanceof PdfStream)) return new Uint8Array();
    const filter = stream.get('Filter', resolve);
    for (const name of filter instanceof PdfArray ? filter : filter === undefined ? [] : [filter]) {
      if (!(name instanceof PdfName) || !knownFilters.includes(name.value)) throw new Error('an unknown filter');
    }
    const decoded = stream.getDecodedData();
    bytes += decoded.length;
    if (bytes > contentBytesMax) throw new Error('the content of a page is too long');
    return decoded;
  });
}

/** Everything that ends a word. U+0000 is white space in a PDF, and U+00A0 is none. */
const isBoundary = bytesIn('\0\t\n\f\r ()<>[]{}/%');
const isSpace = bytesIn('\0\t\n\f\r ');
const isNumeric = bytesIn('+-.0123456789');
const [openArray, closeArray, less, greater] = [0x5b, 0x5d, 0x3c, 0x3e];

/**
 * Words that all readers take for the same: the operators of ISO 32000-1, table 51, and values. Of other words, such as `1q` and `Qq`,
 * some readers take a part for an operator. Inline images (`BI`, `ID`, `EI`) aren't among them: readers compute from their
 * size and filters where their data ends, which may be behind everything that follows.
 */
const knownWords = {
  save: 'q',
  restore: 'Q',
  beginMarked: 'BMC BDC',
  endMarked: 'EMC',
  beginText: 'BT',
  endText: 'ET',
  beginPath: 'm l c v y re W W*',
  endPath: 'n s S f F f* b B b* B*',
  other: `BX cm CS cs d d0 d1 Do DP EX G g gs h i j J K k M MP RG rg ri SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz w
  ' " true false null`,
};
type Effect = keyof typeof knownWords;
const effects = new Map(
  Object.entries(knownWords).flatMap(([effect, words]) =>
    words.split(/\s+/).map((word): [number, Effect] => [keyOf(Buffer.from(word), 0, word.length), effect as Effect]),
  ),
);

interface Counted extends OpenParts {
  /** Whether a comment ends at a seam, where the next part of the content begins. */
  isDivided: boolean;
  isInText: boolean;
  /** Whether a path isn't painted yet. Some readers clip what is drawn after it. */
  isInPath: boolean;
}

/** Counts in one pass. Skips strings and comments, which may contain the same letters. */
function countOpen(content: Uint8Array, seams: ReadonlySet<number>): Counted | null {
  const open = { states: 0, marked: 0, isDivided: false, isInText: false, isInPath: false };
  // The signs that close the arrays and dictionaries that are open.
  const closing: number[] = [];
  for (let at = 0; at < content.length; ) {
    const byte = content[at] as number;
    if (isSpace[byte]) at += 1;
    else if (!isBoundary[byte]) {
      const end = wordEnd(content, at);
      if (!isNumber(content, at, end)) {
        const effect = effects.get(keyOf(content, at, end));
        // In an array or a dictionary, readers take an operator for something else.
        if (effect === undefined || (effect !== 'other' && closing.length > 0)) return null;
        apply(open, effect);
        if (open.states < 0) return null;
      }
      at = end;
    } else {
      const isDouble = content[at + 1] === byte;
      if (byte === 0x25) {
        at = lineEnd(content, at);
        open.isDivided ||= seams.has(at);
      } else if (byte === 0x28) at = stringEnd(content, at);
      else if (byte === 0x2f) at = wordEnd(content, at + 1);
      else if (byte === less && !isDouble) at = content.indexOf(greater, at) + 1;
      else if (byte === openArray || byte === less) {
        closing.push(byte === openArray ? closeArray : greater);
        at += byte === openArray ? 1 : 2;
      } else {
        // A closing sign. Braces and those that close nothing mean nothing to readers.
        if (closing.pop() !== byte || (byte === greater && !isDouble)) return null;
        at += byte === closeArray ? 1 : 2;
      }
      if (at === 0) return null;
    }
  }
  return closing.length > 0 || open.isInText || open.isInPath ? null : open;
}

function apply(open: Counted, effect: Effect): void {
  if (effect === 'save') open.states += 1;
  else if (effect === 'restore') open.states -= 1;
  else if (effect === 'beginMarked') open.marked += 1;
  else if (effect === 'endMarked') open.marked = Math.max(0, open.marked - 1);
  else if (effect === 'beginText' || effect === 'endText') open.isInText = effect === 'beginText';
  else if (effect === 'beginPath' || effect === 'endPath') open.isInPath = effect === 'beginPath';
}

/** Returns a table of all bytes, with 1 for those of the text. */
function bytesIn(text: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(text)) table[byte] = 1;
  return table;
}

/** Returns a number that stands for a word. Words of more than six letters, of which none is known, have none of their own. */
function keyOf(content: Uint8Array, start: number, end: number): number {
  if (end - start > 6) return -1;
  let key = 0;
  for (let at = start; at < end; at++) key = key * 256 + (content[at] as number);
  return key;
}

function isNumber(content: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isNumeric[content[at] as number] === 0) return false;
  return true;
}

function lineEnd(content: Uint8Array, from: number): number {
  let at = from;
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at += 1;
  return at;
}

function wordEnd(content: Uint8Array, from: number): number {
  let at = from;
  while (at < content.length && isBoundary[content[at] as number] === 0) at += 1;
  return at;
}

/** Returns the offset after a string, or 0 if it has no end. Parentheses inside it are balanced or escaped. */
function stringEnd(content: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < content.length; at++) {
    const byte = content[at];
    if (byte === 0x5c) at += 1;
    else if (byte === 0x28) depth += 1;
    else if (byte === 0x29 && --depth === 0) return at + 1;
  }
  return 0;
}
