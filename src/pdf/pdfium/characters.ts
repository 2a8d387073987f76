import type { Pdfium } from './load-pdfium.ts';
import type { Box, PageRectangle } from './place-on-page.ts';

export interface TextStyle {
  /** Points, on the page as shown. */
  fontSize: number;
  /** 400 is regular, 700 bold. */
  weight: number;
  isItalic: boolean;
  /** Name without the subset prefix. Empty when the file does not state one. */
  fontName: string;
  /** `#rrggbb` */
  color: string;
}

export interface TextCharacter {
  text: string;
  /** Null for a space or line break that PDFium added. */
  box: Box | null;
  /** Characters of one style share one object. */
  style: TextStyle;
  /** Baseline of the text object that the character belongs to. */
  baseline: TextBaseline;
  /** Handle of that text object, valid while the page is loaded. */
  object: number;
}

export interface TextBaseline {
  /** Counterclockwise quarter turns on the page as shown: 1 reads upwards. */
  turns: number;
  /** A point on the baseline, in points from the top left corner of the page as shown. */
  x: number;
  y: number;
}

/** Maximum characters per page. A page of a book has about 3000. */
const charactersMax = 200_000;
const fontNameBytesMax = 200;
const italicFlag = 0x40;
const softHyphen = 0x02;

/**
 * Reads the characters of a loaded page, in file order. PDFium sorts text objects at the same height from left to right.
 * Skips codes that are not text.
 */
export function readCharacters(
  pdfium: Pdfium,
  page: number,
  toShown: (rectangle: PageRectangle) => Box,
): TextCharacter[] {
  const { memory } = pdfium;
  const textPage = pdfium.FPDFText_LoadPage(page);
  if (textPage === 0) return [];
  const scratch = memory.allocate(scratchBytes);
  try {
    const pageTurns = pdfium.FPDFPage_GetRotation(page);
    const reader: Reader = { pdfium, textPage, scratch, pageTurns, toShown, styles: new Map(), latest: null };
    const count = Math.min(pdfium.FPDFText_CountChars(textPage), charactersMax);
    return Array.from({ length: Math.max(0, count) }, (_, index) => readCharacter(reader, index)).filter(
      ({ text }) => text !== '',
    );
  } finally {
    memory.free(scratch);
    pdfium.FPDFText_ClosePage(textPage);
  }
}

interface Reader {
  pdfium: Pdfium;
  textPage: number;
  scratch: number;
  /** Clockwise quarter turns of the page. */
  pageTurns: number;
  toShown: (rectangle: PageRectangle) => Box;
  styles: Map<string, TextStyle>;
  /** The text object of the previous character, which the next one probably shares. */
  latest: TextObject | null;
}

interface TextObject {
  handle: number;
  style: TextStyle;
  baseline: TextBaseline;
}

const scratchBytes = 4 * 8 + fontNameBytesMax;

function readCharacter(reader: Reader, index: number): TextCharacter {
  const { pdfium, textPage, toShown } = reader;
  const text = textOf(pdfium.FPDFText_GetUnicode(textPage, index));
  const isGenerated = pdfium.FPDFText_IsGenerated(textPage, index) === 1;
  const { handle: object, style, baseline } = readTextObject(reader, index, isGenerated);
  return { text, box: isGenerated ? null : toShown(readBox(reader, index)), style, baseline, object };
}

/** Reads the text object of a character. It has one style and one baseline. Added characters use the previous object. */
function readTextObject(reader: Reader, index: number, isGenerated: boolean): TextObject {
  const { latest } = reader;
  if (isGenerated && latest !== null) return latest;
  const handle = reader.pdfium.FPDFText_GetTextObject(reader.textPage, index);
  if (latest !== null && handle !== 0 && latest.handle === handle) return latest;
  reader.latest = { handle, style: readStyle(reader, index), baseline: readBaseline(reader, index) };
  return reader.latest;
}

function readBaseline({ pdfium, ...reader }: Reader, index: number): TextBaseline {
  const { textPage, scratch, pageTurns, toShown } = reader;
  let turns = 0;
  if (pdfium.FPDFText_GetMatrix(textPage, index, scratch)) {
    const angle = Math.atan2(pdfium.memory.float(scratch + 4), pdfium.memory.float(scratch));
    turns = (Math.round(angle / (Math.PI / 2)) - pageTurns + 8) % 4;
  }
  pdfium.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8);
  const [left, bottom] = [pdfium.memory.double(scratch), pdfium.memory.double(scratch + 8)];
  const { x, y } = toShown({ left, right: left, bottom, top: bottom });
  return { turns, x, y };
}

/** Converts a code to text. PDFium marks a hyphen that breaks a word at the end of a line as U+0002. */
function textOf(code: number): string {
  if (code === softHyphen) return '\u00ad';
  if (code === 0x0a) return '\n';
  if (code === 0x20 || code === 0xa0 || code === 0x09) return ' ';
  const isText = code > 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) !== 0xfffe;
  return isText ? String.fromCodePoint(code) : '';
}

function readBox({ pdfium, textPage, scratch }: Reader, index: number): PageRectangle {
  pdfium.FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24);
  const { double } = pdfium.memory;
  return { left: double(scratch), right: double(scratch + 8), bottom: double(scratch + 16), top: double(scratch + 24) };
}

function readStyle(reader: Reader, index: number): TextStyle {
  const { pdfium, textPage } = reader;
  const { fontName, isItalic } = readFont(reader, index);
  const style: TextStyle = {
    fontSize: Math.round(shownSize(reader, index) * 10) / 10,
    weight: Math.max(0, pdfium.FPDFText_GetFontWeight(textPage, index)) || 400,
    isItalic,
    fontName,
    color: readColor(reader, index),
  };
  const key = JSON.stringify(style);
  const known = reader.styles.get(key) ?? style;
  reader.styles.set(key, known);
  return known;
}

/** Returns the font size on the page: the size in the file, scaled by the text matrix. */
function shownSize({ pdfium, textPage, scratch }: Reader, index: number): number {
  const size = pdfium.FPDFText_GetFontSize(textPage, index);
  if (!pdfium.FPDFText_GetMatrix(textPage, index, scratch)) return size;
  return size * Math.hypot(pdfium.memory.float(scratch + 8), pdfium.memory.float(scratch + 12));
}

function readFont({ pdfium, textPage, scratch }: Reader, index: number) {
  const name = scratch + 8;
  const length = pdfium.FPDFText_GetFontInfo(textPage, index, name, fontNameBytesMax, scratch);
  const isNamed = length > 1 && length <= fontNameBytesMax;
  const fontName = isNamed ? Buffer.from(pdfium.memory.bytes(name, length - 1)).toString('utf8') : '';
  const isItalic = length > 0 && (pdfium.memory.int(scratch) & italicFlag) !== 0;
  return { fontName: fontName.replace(/^[A-Z]{6}\+/, ''), isItalic };
}

function readColor({ pdfium, textPage, scratch }: Reader, index: number): string {
  if (!pdfium.FPDFText_GetFillColor(textPage, index, scratch, scratch + 4, scratch + 8, scratch + 12)) return '#000000';
  return `#${[0, 4, 8].map((offset) => (pdfium.memory.int(scratch + offset) & 0xff).toString(16).padStart(2, '0')).join('')}`;
}
