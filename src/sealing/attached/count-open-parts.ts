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
 * that restores a state (`Q`) which it never saved, and for content that readers may understand in another way than this one.
 */
export function countOpenParts(pdf: PDF, page: PdfDict): OpenParts | null {
  try {
    const parts = contentsOf(pdf, page).map((part) => Buffer.from(part).toString('latin1'));
    // A comment at the end of a part ends there for some readers, and goes on in the next part for others.
    const texts = new Set(['\n', ' '].map((separator) => parts.join(separator)));
    const [open = null, other = open] = [...texts].map(countOpen);
    return open?.states === other?.states && open?.marked === other?.marked ? open : null;
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
const boundary = /[\0\t\n\f\r ()<>[\]{}/%]/g;

/**
 * Words that all readers take for the same: the operators of ISO 32000-1, table 51, and values. Of other words, such as `1q` and `Qq`,
 * some readers take a part for an operator. Inline images (`BI`, `ID`, `EI`) aren't among them: readers compute from their
 * size and filters where their data ends, which may be behind everything that follows.
 */
const knownWords = new Set(
  `b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn
  sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' " true false null`.split(/\s+/),
);
const number = /^[-+.\d]+$/;

/** Counts in one pass. Skips strings and comments, which may contain the same letters. */
function countOpen(text: string): OpenParts | null {
  let [states, marked] = [0, 0];
  // The signs that close the arrays and dictionaries that are open.
  const closing: string[] = [];
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string;
    const isDouble = text[at + 1] === letter;
    if (letter === '%') at = lineEnd(text, at);
    else if (letter === '(') at = stringEnd(text, at);
    else if (letter === '<' && !isDouble) at = after(text, '>', at);
    else if (letter === '/') at = wordEnd(text, at + 1);
    else if (letter === '[' || letter === '<') {
      closing.push(letter === '[' ? ']' : '>');
      at += letter === '[' ? 1 : 2;
    } else if (letter === ']' || letter === '>') {
      if (closing.pop() !== letter || (letter === '>' && !isDouble)) return null;
      at += letter === ']' ? 1 : 2;
    } else if (/[\0\t\n\f\r ]/.test(letter)) at += 1;
    else {
      const end = wordEnd(text, at);
      const word = text.slice(at, end);
      if (!number.test(word) && !knownWords.has(word)) return null;
      const isCounted = ['q', 'Q', 'BMC', 'BDC', 'EMC'].includes(word);
      // In an array or a dictionary, readers take an operator for something else.
      if (isCounted && closing.length > 0) return null;
      if (word === 'q') states += 1;
      else if (word === 'Q') states -= 1;
      else if (word === 'BMC' || word === 'BDC') marked += 1;
      else if (word === 'EMC') marked = Math.max(0, marked - 1);
      if (states < 0) return null;
      at = end;
    }
    if (at < 0) return null;
  }
  return closing.length === 0 ? { states, marked } : null;
}

function lineEnd(text: string, from: number): number {
  const end = /[\r\n]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

function wordEnd(text: string, from: number): number {
  boundary.lastIndex = from;
  return boundary.exec(text)?.index ?? text.length;
}

/** Returns the offset after the next `sign`, or a negative number without one. */
function after(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at === -1 ? -1 : at + sign.length;
}

/** Returns the offset after a string, or a negative number if it has no end. Parentheses inside it are balanced or escaped. */
function stringEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '\\') at += 1;
    else if (letter === '(') depth += 1;
    else if (letter === ')' && --depth === 0) return at + 1;
  }
  return -1;
}
