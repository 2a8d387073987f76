import type { TextCharacter, TextStyle } from './characters.ts';
import type { Pdfium } from './load-pdfium.ts';
import type { Box } from './place-on-page.ts';
import { split } from './split.ts';
import { readTextLines } from './text-lines.ts';

/** The text of a page as shown, in reading order. Positions are in points from the top left corner. */
export interface PageText {
  lines: TextLine[];
}

/** A line of text. A run is a stretch of text with one style. */
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
  const lines = readTextLines(pdfium, page).map(lineOf);
  return { lines: lines.filter(({ text }) => text !== '') };
}

function lineOf(characters: TextCharacter[]): TextLine {
  const visible = trim(characters);
  const words = split(visible, (previous, next) => isSpace(previous) !== isSpace(next));
  const runs = split(visible, (previous, next) => !isSpace(next) && previous.style !== next.style);
  return {
    ...pieceOf(visible),
    words: words.filter(([first]) => !isSpace(first)).map(pieceOf),
    runs: runs.map((run) => ({ ...pieceOf(run), ...(run.find((one) => !isSpace(one)) as TextCharacter).style })),
  };
}

function trim(characters: TextCharacter[]): TextCharacter[] {
  const first = characters.findIndex((character) => !isSpace(character));
  return first === -1 ? [] : characters.slice(first, characters.findLastIndex((character) => !isSpace(character)) + 1);
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
