import { readCharacters, type TextCharacter } from '../../../pdf/pdfium/characters.ts';
import type { Pdfium } from '../../../pdf/pdfium/load-pdfium.ts';
import { placeOnPage } from '../../../pdf/pdfium/place-on-page.ts';
import type { Word } from '../layout/word.ts';
import { buildWords } from './build-words.ts';
import type { Size } from './upright.ts';

/** Words with the same rotation, with their positions on the page turned upright. */
export interface Written {
  /** Quarter turns, clockwise. */
  turns: number;
  words: Word[];
}

/** Reads the words of a loaded page. The most common direction comes first. */
export function readWords(pdfium: Pdfium, page: number, size: Size): Written[] {
  const characters = readCharacters(pdfium, page, placeOnPage(pdfium, page));
  const turned = new Map<number, TextCharacter[]>();
  for (const character of characters) {
    const { turns } = character.baseline;
    const alike = turned.get(turns);
    if (alike === undefined) turned.set(turns, [character]);
    else alike.push(character);
  }
  return [...turned]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([turns, alike]) => ({ turns, words: buildWords(alike, turns, size) }))
    .filter(({ words }) => words.length > 0);
}
