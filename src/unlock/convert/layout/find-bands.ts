import type { Row, Segment } from './word.ts';

/** Consecutive rows: running text, or rows that share the same gutters. */
export type Band = { kind: 'flow'; rows: Row[] } | { kind: 'gutters'; rows: Row[]; gutters: Gutter[] };

/** A strip of white space from one x to another, over the whole height of a band. */
export interface Gutter {
  from: number;
  to: number;
}

/** Minimum width, in parts of the font size. */
const gutterMin = 0.9;
const adjacentRowsMin = 2;

/** Cuts rows into bands, from top to bottom. */
export function findBands(rows: readonly Row[]): Band[] {
  const bands: Band[] = [];
  const flow = (row: Row) => {
    const last = bands.at(-1);
    if (last?.kind === 'flow') last.rows.push(row);
    else bands.push({ kind: 'flow', rows: [row] });
  };
  const extent = extentOf(rows);
  let index = 0;
  while (index < rows.length) {
    const found = isSeed(rows, index) ? growBand(rows, index, extent) : null;
    if (found === null) {
      flow(rows[index] as Row);
      index += 1;
    } else {
      bands.push({ kind: 'gutters', ...found });
      index += found.rows.length;
    }
  }
  return bands;
}

function extentOf(rows: readonly Row[]): Gutter {
  return { from: Math.min(...rows.map(({ x }) => x)), to: Math.max(...rows.map(({ x, width }) => x + width)) };
}

function isSeed(rows: readonly Row[], index: number): boolean {
  const [row, next] = [rows[index] as Row, rows[index + 1]];
  return row.segments.length > 1 || (next !== undefined && isNextTo(row, next));
}

/** Whether two rows overlap in height but not in width. They are then in different columns. */
function isNextTo(row: Row, next: Row): boolean {
  const overlap = Math.min(row.y + row.height, next.y + next.height) - Math.max(row.y, next.y);
  const gap = Math.max(next.x - row.x - row.width, row.x - next.x - next.width);
  return overlap > 0.2 * Math.min(row.height, next.height) && gap > gutterMin * sizeOf(row);
}

function sizeOf({ segments }: Row): number {
  return Math.max(...segments.map(({ size }) => size));
}

/** Returns the rows from `start` that share all gutters. Null when there are too few. */
function growBand(rows: readonly Row[], start: number, extent: Gutter): { rows: Row[]; gutters: Gutter[] } | null {
  const band = [rows[start] as Row];
  let free = freeOf(rows[start] as Row, extent);
  let proper = properGutters(free, band);
  for (const row of rows.slice(start + 1)) {
    const narrowed = intersect(free, freeOf(row, extent), gutterMin * sizeOf(row));
    const next = properGutters(narrowed, [...band.slice(-rowsLookedBack), row], proper);
    if (next.length === 0 || next.length < proper.length) break;
    band.push(row);
    free = narrowed;
    proper = next;
  }
  proper = properGutters(free, band);
  while (band.length > 1 && isAtOneSide(band.at(-1) as Row, proper[0])) band.pop();
  if (proper.length === 0 || countAdjacent(band) < adjacentRowsMin) return null;
  return { rows: band, gutters: proper };
}

/** How many rows are checked for text on both sides of a gutter. Results for earlier rows are remembered. */
const rowsLookedBack = 40;

function freeOf({ segments }: Row, extent: Gutter): Gutter[] {
  const free: Gutter[] = [];
  let from = extent.from - 1;
  for (const { x, width } of segments) {
    if (x > from) free.push({ from, to: x });
    from = Math.max(from, x + width);
  }
  free.push({ from, to: extent.to + 1 });
  return free;
}

function intersect(some: readonly Gutter[], others: readonly Gutter[], widthMin: number): Gutter[] {
  const common: Gutter[] = [];
  for (const one of some) {
    for (const other of others) {
      const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
      if (to - from >= widthMin) common.push({ from, to });
    }
  }
  return common;
}

/** Returns the gutters with text on both sides. `known` already had text on both sides in earlier rows. */
function properGutters(free: readonly Gutter[], band: readonly Row[], known: readonly Gutter[] = []): Gutter[] {
  const segments = band.flatMap((row) => row.segments);
  return free.filter(
    ({ from, to }) =>
      known.some((gutter) => from < gutter.to && gutter.from < to) ||
      (segments.some(({ x, width }) => x + width <= from + 0.01) && segments.some(({ x }) => x >= to - 0.01)),
  );
}

function isAtOneSide(row: Row, gutter: Gutter | undefined): boolean {
  return gutter !== undefined && row.segments.length === 1 && row.x + row.width <= gutter.from && isHeadingLike(row);
}

/** Whether a row is a short line. Below a band, such a line belongs to the text that follows. */
function isHeadingLike({ segments }: Row): boolean {
  const [segment] = segments;
  return segment?.words.every(({ bold }) => bold) ?? false;
}

function countAdjacent(band: readonly Row[]): number {
  return band.filter(({ segments }, index) => {
    const next = band[index + 1];
    return segments.length > 1 || (next !== undefined && isNextTo(band[index] as Row, next));
  }).length;
}

/** Returns the column of a segment, given the gutters from left to right. */
export function columnOf({ x, width }: Segment, gutters: readonly Gutter[]): number {
  return gutters.filter(({ from, to }) => (from + to) / 2 < x + width / 2).length;
}
