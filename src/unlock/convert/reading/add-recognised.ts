import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import type { Word } from '../layout/word.ts';
import type { Written } from './read-words.ts';
import { type Size, turnBox, turnSize } from './upright.ts';

/** Minimum number of recognised words with three letters. A photo may look like a few short words. */
const wordsMin = 8;
/** A recognised word is a written one if they share more than this part of its area. */
const sharedMax = 0.4;

/**
 * Adds the words that were recognised on a page to those written on it, which are exact. Returns null when nothing but noise
 * was recognised.
 */
export function addRecognised(written: readonly Written[], recognised: readonly Word[], size: Size): Written[] | null {
  const boxes = written.flatMap(({ turns, words }) =>
    words.map((word) => turnBox(word, 4 - turns, turnSize(size, turns))),
  );
  const added = recognised.filter((word) => !isAmong(word, boxes));
  if (added.filter(({ text }) => /\p{L}{3}/u.test(text)).length < wordsMin) return null;
  const upright = written.filter(({ turns }) => turns === 0).flatMap(({ words }) => words);
  return [{ turns: 0, words: [...upright, ...added] }, ...written.filter(({ turns }) => turns !== 0)];
}

function isAmong(word: Box, boxes: readonly Box[]): boolean {
  const shared = boxes.reduce((sum, box) => sum + overlap(word, box), 0);
  return shared > sharedMax * word.width * word.height;
}

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
