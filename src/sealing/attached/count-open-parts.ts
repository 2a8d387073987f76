import { type PDF, PdfArray, type PdfDict, PdfRef, PdfStream } from '@libpdf/core';

const contentBytesMax = 64 * 2 ** 20;

/** What the content of a page leaves open. */
export interface OpenParts {
  /** Saved graphics states (`q`). They would move and scale what is drawn after them. */
  states: number;
  /** Marked content (`BMC`, `BDC`). It may belong to a hidden layer, and what is drawn after it would be hidden too. */
  marked: number;
}

/** Counts what must be closed before anything is drawn after the content. Content that cannot be read counts as balanced. */
export function countOpenParts(pdf: PDF, page: PdfDict): OpenParts {
  try {
    return countOpen(Buffer.concat(contentsOf(pdf, page).flatMap((part) => [part, Buffer.from('\n')])));
  } catch {
    return { states: 0, marked: 0 };
  }
}

function contentsOf(pdf: PDF, page: PdfDict): Uint8Array[] {
  const contents = page.get('Contents', (ref) => pdf.context.resolve(ref));
  const parts = contents instanceof PdfArray ? [...contents] : [contents];
  let bytes = 0;
  return parts.map((part) => {
    const stream = part instanceof PdfRef ? pdf.context.resolve(part) : part;
    const decoded = stream instanceof PdfStream ? stream.getDecodedData() : new Uint8Array();
    bytes += decoded.length;
    if (bytes > contentBytesMax) throw new Error('the content of a page is too long');
    return decoded;
  });
}

/** Counts in one pass. Skips strings, comments and inline images, which may contain the same letters. */
function countOpen(content: Buffer): OpenParts {
  const text = content.toString('latin1');
  const boundary = /[\s()<>[\]{}/%]/g;
  let states = 0;
  let marked = 0;
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string;
    if (letter === '%') at = lineEnd(text, at);
    else if (letter === '(') at = stringEnd(text, at);
    else if (letter === '/') at = tokenEnd(text, at + 1, boundary);
    else if (/[\s()<>[\]{}]/.test(letter)) at += 1;
    else {
      const end = tokenEnd(text, at, boundary);
      const operator = text.slice(at, Math.min(end, at + 4));
      if (operator === 'q') states += 1;
      else if (operator === 'Q') states = Math.max(0, states - 1);
      else if (operator === 'BMC' || operator === 'BDC') marked += 1;
      else if (operator === 'EMC') marked = Math.max(0, marked - 1);
      at = operator === 'ID' ? imageEnd(text, end) : end;
    }
  }
  return { states, marked };
}

function lineEnd(text: string, from: number): number {
  return tokenEnd(text, from, /[\r\n]/g);
}

function tokenEnd(text: string, from: number, boundary: RegExp): number {
  boundary.lastIndex = from;
  return boundary.exec(text)?.index ?? text.length;
}

/** Returns the offset after a string. Parentheses inside it are balanced or escaped. */
function stringEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '\\') at += 1;
    else if (letter === '(') depth += 1;
    else if (letter === ')' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Returns the offset after the `EI` that ends an inline image. */
function imageEnd(text: string, from: number): number {
  const end = /\sEI(?=\s|$)/g;
  end.lastIndex = from;
  const found = end.exec(text);
  return found === null ? text.length : found.index + 3;
}
