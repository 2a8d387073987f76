import { readCharacters, type TextCharacter, type TextStyle } from './characters.ts';
import type { Pdfium } from './load-pdfium.ts';
import { type Box, placeOnPage } from './place-on-page.ts';

/** The text of a page as shown. Positions are in points from the top left corner. */
export interface PageText {
  lines: TextLine[];
}

/** A line of text, in file order. A run is a stretch of text with one style. */
export interface TextLine extends TextPiece {
  words: TextPiece[];
  runs: TextRun[];
}

export interface TextPiece extends Box {
  text: string;
}

export interface TextRun extends TextPiece, TextStyle {}

/** Reads the text of a loaded page. A scanned page has no lines. */
export function readPageText(pdfium: Pdfium, page: number): PageText {
  const toShown = placeOnPage(pdfium, page);
  const lines = splitLines(readCharacters(pdfium, page, toShown)).map(lineOf);
  return { lines: lines.filter(({ text }) => text !== '') };
}

/** Splits characters at the line breaks that PDFium inserts. */
function splitLines(characters: readonly TextCharacter[]): TextCharacter[][] {
  const lines: TextCharacter[][] = [[]];
  for (const character of characters) {
    if (character.text === '\n') lines.push([]);
    else lines.at(-1)?.push(character);
  }
  return lines;
}

function lineOf(characters: TextCharacter[]): TextLine {
  const visible = trim(characters);
  const words = split(visible, (previous, next) => isSpace(previous) !== isSpace(next));
  const runs = split(visible, (previous, next) => !isSpace(next) && previous.style !== next.style);
  return {
    ...pieceOf(visible),
    words: words.filter(([first]) => first !== undefined && !isSpace(first)).map(pieceOf),
    runs: runs.map((run) => ({ ...pieceOf(run), ...(run.find((one) => !isSpace(one)) as TextCharacter).style })),
  };
}

function trim(characters: TextCharacter[]): TextCharacter[] {
  const first = characters.findIndex((character) => !isSpace(character));
  return first === -1 ? [] : characters.slice(first, characters.findLastIndex((character) => !isSpace(character)) + 1);
}

function split(
  characters: readonly TextCharacter[],
  isBoundary: (previous: TextCharacter, next: TextCharacter) => boolean,
): TextCharacter[][] {
  const pieces: TextCharacter[][] = [];
  for (const [index, character] of characters.entries()) {
    const previous = characters[index - 1];
    if (previous === undefined || isBoundary(previous, character)) pieces.push([]);
    pieces.at(-1)?.push(character);
  }
  return pieces;
}

function isSpace({ text }: TextCharacter): boolean {
  return text === ' ';
}

function pieceOf(characters: readonly TextCharacter[]): TextPiece {
  const text = characters.map((character) => character.text).join('');
  const boxes = characters.flatMap(({ box }) => box ?? []);
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  if (boxes.length === 0) return { text, x: 0, y: 0, width: 0, height: 0 };
  return { text, x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
