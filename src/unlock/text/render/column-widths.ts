import type { Style } from '../../../pdf/drawing/theme.ts';
import { wrapText } from '../../../pdf/text/wrap-text.ts';
import type { Table } from '../../blocks.ts';

/** Number of rows that decide the column widths of a long table. */
const sampleMax = 200;
const endless = 100_000;
/** Number of characters measured in a cell. Longer texts need several lines at any width. */
const measuredMax = 400;

/**
 * Returns the column widths of a table that is `width` points wide. Each column gets the width of its texts on one line, if
 * that fits. Otherwise it gets the width of its longest word and a share of the rest in proportion to what it lacks.
 */
export function columnWidths(rows: Table['rows'], style: Style, width: number, padding: number): number[] {
  const count = rows[0]?.length ?? 1;
  const sample = rows.slice(0, sampleMax);
  const measure = (text: string) => wrapText(text, style, endless)[0]?.width ?? 0;
  const columns = Array.from({ length: count }, (_, column) => {
    const texts = sample.map((row) => row[column]?.text.slice(0, measuredMax) ?? '').filter((text) => text !== '');
    const words = texts.map((text) => text.split(' ').reduce((a, b) => (b.length > a.length ? b : a), ''));
    return {
      whole: Math.max(padding, ...texts.map((text) => measure(text) + padding)),
      word: Math.max(padding, ...words.map((word) => measure(word) + padding)),
    };
  });
  const sum = (widths: readonly number[]) => widths.reduce((all, each) => all + each, 0);
  const wholes = columns.map(({ whole }) => whole);
  const spare = width - sum(wholes);
  if (spare >= 0) return wholes.map((whole) => whole + spare / count);
  const least = columns.map(({ word }) => Math.min(word, width / count));
  const lacks = wholes.map((whole, column) => whole - (least[column] as number));
  const share = (width - sum(least)) / Math.max(1, sum(lacks));
  return least.map((word, column) => word + (lacks[column] as number) * share);
}
