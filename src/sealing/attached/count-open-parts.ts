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
    return countOpen(Buffer.concat(contentsOf(pdf, page).flatMap((part) => [part, Buffer.from('\n')])));
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

/** Counts in one pass. Skips strings, comments and inline images, which may contain the same letters. */
function countOpen(content: Buffer): OpenParts | null {
  const text = content.toString('latin1');
  let [states, marked, depth] = [0, 0, 0];
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string;
    if (letter === '%') at = lineEnd(text, at);
    else if (letter === '(') at = stringEnd(text, at);
    else if (letter === '<' && text[at + 1] !== '<') at = after(text, '>', at);
    else if (letter === '/') at = wordEnd(text, at + 1);
    else if (/[\0\t\n\f\r ()<>[\]{}]/.test(letter)) {
      // Dictionaries have two of their signs.
      if ('[<'.includes(letter)) depth += 1;
      if (']>'.includes(letter)) depth -= 1;
      at += 1;
      if (letter === '<' || letter === '>') at += 1;
    } else {
      const end = wordEnd(text, at);
      const operator = text.slice(at, Math.min(end, at + 4));
      const isCounted = ['q', 'Q', 'BMC', 'BDC', 'EMC', 'ID'].includes(operator);
      // In an array or a dictionary, readers take an operator for something else.
      if (isCounted && depth !== 0) return null;
      if (operator === 'q') states += 1;
      else if (operator === 'Q') states -= 1;
      else if (operator === 'BMC' || operator === 'BDC') marked += 1;
      else if (operator === 'EMC') marked = Math.max(0, marked - 1);
      if (states < 0) return null;
      at = operator === 'ID' ? imageEnd(text, end) : end;
    }
    if (at < 0) return null;
  }
  return depth === 0 ? { states, marked } : null;
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

/**
 * Returns the offset after the `EI` that ends an inline image, or a negative number if that isn't certain: there is none, or another one
 * comes before the next image begins.
 */
function imageEnd(text: string, from: number): number {
  const words = /(?<=[\0\t\n\f\r ])(?:EI|BI)(?=[\0\t\n\f\r ]|$)/g;
  words.lastIndex = from;
  const end = words.exec(text);
  const next = words.exec(text);
  if (end?.[0] !== 'EI' || next?.[0] === 'EI') return -1;
  return end.index + 2;
}
