import type { Pdfium } from './load-pdfium.ts';
import type { Box, PageRectangle } from './place-on-page.ts';

export interface TextStyle {
  /** In points, as shown. */
  fontSize: number;
  /** 400 is regular, 700 bold. */
  weight: number;
  isItalic: boolean;
  /** Without the prefix of a subset; empty where the file does not say. */
  fontName: string;
  /** `#rrggbb` */
  color: string;
}

export interface TextCharacter {
  text: string;
  /** Null for a space or a line break that is not in the file, but between what is. */
  box: Box | null;
  /** Characters of one style share one object. */
  style: TextStyle;
  /** Where the text it belongs to is written: a line that it stands on, and how that is turned on the page as shown. */
  stand: TextStand;
}

export interface TextStand {
  /** In quarters, against the clock: 1 reads upwards. */
  turns: number;
  /** A point of its baseline, in points from the top left corner. */
  x: number;
  y: number;
}

/** Of one page: a book has some 3000. */
const charactersMax = 200_000;
const fontNameBytesMax = 200;
const italicFlag = 0x40;
const softHyphen = 0x02;

/** The characters of a loaded page in the order of the file, without what is no text. */
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
  /** Of the page, by the clock. */
  pageTurns: number;
  toShown: (rectangle: PageRectangle) => Box;
  styles: Map<string, TextStyle>;
  /** What was read of the text object that the last character was of: the next one is likely of the same. */
  latest: TextObject | null;
}

interface TextObject {
  handle: number;
  style: TextStyle;
  stand: TextStand;
}

const scratchBytes = 4 * 8 + fontNameBytesMax;

function readCharacter(reader: Reader, index: number): TextCharacter {
  const { pdfium, textPage, toShown } = reader;
  const text = textOf(pdfium.FPDFText_GetUnicode(textPage, index));
  const isOurs = pdfium.FPDFText_IsGenerated(textPage, index) === 1;
  const { style, stand } = readTextObject(reader, index, isOurs);
  return { text, box: isOurs ? null : toShown(readBox(reader, index)), style, stand };
}

/** A string that the file draws at once has one style and one baseline. What is ours goes with what it follows. */
function readTextObject(reader: Reader, index: number, isOurs: boolean): TextObject {
  const { latest } = reader;
  if (isOurs && latest !== null) return latest;
  const handle = reader.pdfium.FPDFText_GetTextObject(reader.textPage, index);
  if (latest !== null && handle !== 0 && latest.handle === handle) return latest;
  reader.latest = { handle, style: readStyle(reader, index), stand: readStand(reader, index) };
  return reader.latest;
}

function readStand({ pdfium, ...reader }: Reader, index: number): TextStand {
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

/** PDFium marks a hyphen at the end of a line, which is not part of its word, as U+0002. */
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

/** The size the file names counts before the text matrix, which often does all the scaling. */
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
