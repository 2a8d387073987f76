import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import type { Block, FormField } from '../../blocks.ts';
import type { PageWords, Word } from './word.ts';

/** Maximum width of a label, in points. */
const labelDistanceMax = 150;
/** Maximum distance between a field and its label, in points. */
const gapMax = 60;

/** Inserts form fields in reading order: after the block next to them, otherwise after the block above them. */
export function placeFields(blocks: readonly Block[], { fields, words }: PageWords): Block[] {
  if (fields.length === 0) return [...blocks];
  const after = new Map<Block | null, FormField[]>();
  for (const field of fields.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const anchor = anchorOf(field, blocks);
    const labelled = { ...field, label: field.label ?? labelOf(field, words) };
    after.set(anchor, [...(after.get(anchor) ?? []), labelled]);
  }
  return [...(after.get(null) ?? []), ...blocks.flatMap((block) => [block, ...(after.get(block) ?? [])])];
}

function anchorOf(field: FormField, blocks: readonly Block[]): Block | null {
  const adjacent = blocks.filter((block) => overlap(block, field, 'y', 'height') > 0.3 * field.height);
  const nearest = adjacent.toSorted((a, b) => distance(a, field) - distance(b, field))[0];
  if (nearest !== undefined) return nearest;
  const above = blocks.filter((block) => block.y < field.y);
  const inColumn = above.filter((block) => overlap(block, field, 'x', 'width') > 0);
  return inColumn.at(-1) ?? above.at(-1) ?? null;
}

function overlap(one: Box, other: Box, start: 'x' | 'y', extent: 'width' | 'height'): number {
  return Math.min(one[start] + one[extent], other[start] + other[extent]) - Math.max(one[start], other[start]);
}

function distance(one: Box, other: Box): number {
  return Math.max(0, -overlap(one, other, 'x', 'width'));
}

/** Returns the text before the field on its line. For a checkbox, the text after it. */
function labelOf(field: FormField, words: readonly Word[]): string | null {
  const onLine = words
    .filter((word) => overlap(word, field, 'y', 'height') > 0.4 * Math.min(word.height, field.height))
    .toSorted((a, b) => a.x - b.x);
  const isTicked = field.kind === 'checkbox' || field.kind === 'radio';
  const label = isTicked
    ? adjoining(
        onLine.filter(({ x }) => x >= field.x + field.width - 1),
        field.x + field.width,
      )
    : adjoining(onLine.filter(({ x, width }) => x + width <= field.x + 1).toReversed(), field.x).toReversed();
  const text = label
    .map((word) => word.text)
    .join(' ')
    .replace(/(?<![\s:.…_])[\s:.…_]+$/, '');
  return text === '' ? null : text.slice(0, 200);
}

/** Returns consecutive words that begin near the field. */
function adjoining(words: readonly Word[], from: number): Word[] {
  const near: Word[] = [];
  let edge = from;
  for (const word of words) {
    const gap = Math.max(word.x - edge, edge - word.x - word.width);
    if (gap > (near.length === 0 ? gapMax : Math.max(word.size, 8))) break;
    near.push(word);
    edge = word.x >= edge ? word.x + word.width : word.x;
    if (Math.abs(edge - from) > labelDistanceMax) break;
  }
  return near;
}
