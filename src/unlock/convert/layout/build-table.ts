import type { Table, TableCell } from '../../blocks.ts';
import { columnOf, type Gutter } from './find-bands.ts';
import { joinLines, textOfWords } from './join-text.ts';
import { enclose, median, type Row, type Segment } from './word.ts';

/** A line closer than this part of the usual row distance continues the cells above it. */
const continuedMax = 0.8;

export function buildTable(rows: readonly Row[], gutters: readonly Gutter[], isMirrored: boolean): Table {
  const grid = rows.map((row) => spread(row, gutters));
  const distance = usualDistance(rows, grid);
  const merged: Segment[][][] = [];
  grid.forEach((cells, index) => {
    const above = merged.at(-1);
    const drop = index === 0 ? Number.POSITIVE_INFINITY : distanceTo(rows, index);
    if (above !== undefined && drop < continuedMax * distance && isContinued(cells, grid[index - 1] as Segment[][])) {
      cells.forEach((segments, column) => {
        above[column]?.push(...segments);
      });
    } else merged.push(cells.map((segments) => [...segments]));
  });
  return {
    type: 'table',
    ...enclose(rows),
    rows: merged.map((cells) => cells.map((cell) => cellOf(cell, isMirrored))),
  };
}

/** Groups the segments of a row by column. */
function spread({ segments }: Row, gutters: readonly Gutter[]): Segment[][] {
  const cells: Segment[][] = Array.from({ length: gutters.length + 1 }, () => []);
  for (const segment of segments) cells[columnOf(segment, gutters)]?.push(segment);
  return cells;
}

/** Returns the usual distance from the line above to rows that fill all cells. Such rows never continue others. */
function usualDistance(rows: readonly Row[], grid: readonly Segment[][][]): number {
  const full = [...rows.keys()].filter((index) => index > 0 && grid[index]?.every((cell) => cell.length > 0));
  return median(full.map((index) => distanceTo(rows, index)));
}

function distanceTo(rows: readonly Row[], index: number): number {
  return (rows[index] as Row).baseline - (rows[index - 1] as Row).baseline;
}

function isContinued(cells: readonly Segment[][], above: readonly Segment[][]): boolean {
  return (
    cells.some((cell) => cell.length === 0) &&
    cells.every((cell, column) => cell.length === 0 || (above[column]?.length ?? 0) > 0)
  );
}

function cellOf(segments: Segment[], isMirrored: boolean): TableCell {
  const words = segments.flatMap((segment) => segment.words);
  const lines = segments.map((segment) => textOfWords(segment.words, isMirrored));
  return {
    text: joinLines(lines.map(({ text }) => text)),
    ...enclose(segments),
    bold: words.length > 0 && words.every(({ bold }) => bold),
    rtl: lines.some(({ rtl }) => rtl),
  };
}
