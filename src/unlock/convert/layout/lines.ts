import type { FormField, Style } from '../../blocks.ts';
import { joinLines, textOfWords } from './join-text.ts';
import { type Marker, readMarker } from './marker.ts';
import type { Row, Word } from './word.ts';

/** A row of running text, with the properties that decide where paragraphs begin. */
export interface Line extends Row, Style {
  words: Word[];
  text: string;
  rtl: boolean;
  /** The bullet or number at its start, and where the text after it begins. */
  item: { marker: string; text: string; textX: number; says: Marker } | null;
  /** Whether the line has a form field. The next line then starts a new block. */
  hasField: boolean;
}

export function lineOf(row: Row, fields: readonly FormField[], isMirrored: boolean): Line {
  const words = row.segments.flatMap((segment) => segment.words);
  return {
    ...row,
    words,
    ...textOfWords(words, isMirrored),
    item: itemOf(words, isMirrored),
    ...styleOf(words),
    hasField: fields.some((field) => isOnLine(row, field)),
  };
}

function itemOf(words: readonly Word[], isMirrored: boolean): Line['item'] {
  const [marker, first, ...more] = words;
  if (marker === undefined || first === undefined) return null;
  const says = readMarker(marker.text, first.text);
  if (says === null) return null;
  return { marker: marker.text, text: textOfWords([first, ...more], isMirrored).text, textX: first.x, says };
}

/** Returns the style of most of the letters. */
function styleOf(words: readonly Word[]): Style {
  const letters = (chosen: readonly Word[]) => chosen.reduce((sum, { text }) => sum + text.length, 0);
  const half = letters(words) / 2;
  const sizes = new Map<number, number>();
  for (const { size, text } of words) sizes.set(size, (sizes.get(size) ?? 0) + text.length);
  const [[size] = [0]] = [...sizes].sort(([, a], [, b]) => b - a);
  return {
    size,
    bold: letters(words.filter(({ bold }) => bold)) > half,
    italic: letters(words.filter(({ italic }) => italic)) > half,
  };
}

function isOnLine(row: Row, field: FormField): boolean {
  const overlap = Math.min(row.y + row.height, field.y + field.height) - Math.max(row.y, field.y);
  return overlap > 0.4 * Math.min(row.height, field.height);
}

/** Returns the text of consecutive lines. */
export function textOfLines(lines: readonly Line[]): string {
  return joinLines(lines.map((line, index) => (index === 0 && line.item !== null ? line.item.text : line.text)));
}
