import { readCharacters, type TextCharacter } from '../../world/pdf/pdfium/characters.ts';
import type { Pdfium } from '../../world/pdf/pdfium/load-pdfium.ts';
import { placeOnPage } from '../../world/pdf/pdfium/place-on-page.ts';
import type { Word } from '../layout/word.ts';
import { buildWords } from './build-words.ts';
import type { Size } from './upright.ts';

/** Words that are turned alike, on the page turned until they stand upright. */
export interface Written {
  /** By the clock, so many quarters. */
  turns: number;
  words: Word[];
}

/** The words of a loaded page. Those in the direction of most of them come first. */
export function readWords(pdfium: Pdfium, page: number, size: Size): Written[] {
  const characters = readCharacters(pdfium, page, placeOnPage(pdfium, page));
  const turned = new Map<number, TextCharacter[]>();
  for (const character of characters) {
    const { turns } = character.stand;
    const alike = turned.get(turns);
    if (alike === undefined) turned.set(turns, [character]);
    else alike.push(character);
  }
  return [...turned]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([turns, alike]) => ({ turns, words: buildWords(alike, turns, size) }))
    .filter(({ words }) => words.length > 0);
}
