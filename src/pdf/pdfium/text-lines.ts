import { readCharacters, type TextCharacter } from './characters.ts';
import type { Pdfium } from './load-pdfium.ts';
import { type Box, placeOnPage } from './place-on-page.ts';
import { split } from './split.ts';

/** Reads the lines of a loaded page in reading order, as lists of characters. Omits what the crop box hides. */
export function readTextLines(pdfium: Pdfium, page: number): TextCharacter[][] {
  const toShown = placeOnPage(pdfium, page);
  const size = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
  const read = () => readCharacters(pdfium, page, toShown);

  const asShown = read();
  const directions = [...new Set(asShown.map(({ baseline }) => baseline.turns))];
  const linesByDirection = directions.map((turns) =>
    turns === 0 ? splitUpright(asShown) : splitTurned(whileTurned(pdfium, page, turns, read), turns),
  );
  const lines = mergeDirections(linesByDirection, asShown);
  return lines.map((line) => line.flatMap((character) => visiblePart(character, size)));
}

/**
 * Runs `read` with the page turned clockwise by quarter turns. PDFium sorts text at the same height from left to right,
 * which reverses lines that read downwards and words that are upside down. So text is read while it is upright.
 */
function whileTurned<Result>(pdfium: Pdfium, page: number, turns: number, read: () => Result): Result {
  const before = pdfium.FPDFPage_GetRotation(page);
  pdfium.FPDFPage_SetRotation(page, (before + turns) % 4);
  try {
    return read();
  } finally {
    pdfium.FPDFPage_SetRotation(page, before);
  }
}

/** Returns the lines of upright text. A line ends at PDFium's line break and at text in another direction. */
function splitUpright(characters: readonly TextCharacter[]): TextCharacter[][] {
  const isPart = ({ text, baseline }: TextCharacter) => text !== '\n' && baseline.turns === 0;
  return split(characters, (previous, next) => !(isPart(previous) && isPart(next))).filter(([first]) => isPart(first));
}

/** A larger step to the next text object begins a line. In parts of the font size. */
const stepMax = 0.5;

/**
 * Returns the lines of text that was turned until it was upright. PDFium misses line breaks of turned text and adds
 * others, so a line ends where the baseline changes.
 */
function splitTurned(characters: readonly TextCharacter[], turns: number): TextCharacter[][] {
  const isPart = ({ baseline }: TextCharacter) => baseline.turns === 0;
  const heightOf = ({ baseline }: TextCharacter) => (turns === 2 ? baseline.y : baseline.x);
  const isBoundary = (previous: TextCharacter, next: TextCharacter) => {
    const step = Math.abs(heightOf(next) - heightOf(previous));
    const isStep = step > stepMax * Math.max(previous.style.fontSize, next.style.fontSize);
    return isStep || !(isPart(previous) && isPart(next));
  };
  const spaced = characters.map((character) => (character.text === '\n' ? { ...character, text: ' ' } : character));
  return split(spaced, isBoundary).filter(([first]) => isPart(first));
}

/**
 * Merges the lines of all directions. A line goes where the page as shown has its first text object, but never before
 * an earlier line of its direction.
 */
function mergeDirections(
  linesByDirection: readonly TextCharacter[][][],
  asShown: readonly TextCharacter[],
): TextCharacter[][] {
  const places = new Map<number, number>();
  for (const [index, { object }] of asShown.entries()) if (!places.has(object)) places.set(object, index);
  const placed = linesByDirection.flatMap((lines) => {
    let place = 0;
    return lines.map((line) => {
      place = Math.max(place, places.get(line[0]?.object ?? 0) ?? 0);
      return { place, line };
    });
  });
  return placed.sort((a, b) => a.place - b.place).map(({ line }) => line);
}

/** Returns the character with its box cut at the edges of the page, or nothing if it is outside. */
function visiblePart(character: TextCharacter, page: { width: number; height: number }): TextCharacter[] {
  if (character.box === null) return [character];
  const { x, y, width, height } = character.box;
  const isOutside = x >= page.width || y >= page.height || x + width <= 0 || y + height <= 0;
  if (isOutside) return [];
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(page.width, x + width), Math.min(page.height, y + height)];
  const box: Box = { x: left, y: top, width: right - left, height: bottom - top };
  return [{ ...character, box }];
}
