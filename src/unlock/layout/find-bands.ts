import type { Row, Segment } from './word.ts';

/** Rows one under the other: running text, or such as have the same white gutters between their parts. */
export type Band = { kind: 'flow'; rows: Row[] } | { kind: 'gutters'; rows: Row[]; gutters: Gutter[] };

/** White from top to bottom, from one x to another. */
export interface Gutter {
  from: number;
  to: number;
}

/** In parts of the font's size. */
const gutterMin = 0.9;
const rowsBesideMin = 2;

/** Cuts rows into bands, from the top down. */
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
  return row.segments.length > 1 || (next !== undefined && standsBeside(row, next));
}

/** Two rows that overlap in height and not in width are of two columns with lines of their own. */
function standsBeside(row: Row, next: Row): boolean {
  const overlap = Math.min(row.y + row.height, next.y + next.height) - Math.max(row.y, next.y);
  const gap = Math.max(next.x - row.x - row.width, row.x - next.x - next.width);
  return overlap > 0.2 * Math.min(row.height, next.height) && gap > gutterMin * sizeOf(row);
}

function sizeOf({ segments }: Row): number {
  return Math.max(...segments.map(({ size }) => size));
}

/** As many rows as share all the gutters that those before them do. Null when there are too few beside each other. */
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
  if (proper.length === 0 || countBeside(band) < rowsBesideMin) return null;
  return { rows: band, gutters: proper };
}

/** To tell which gutters have text at both sides it is enough to look at some rows: the earlier ones are remembered. */
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

/** Those with text at their left and at their right. `known` were such before these rows. */
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

/** A short line under the band, apart from it, belongs to what follows. */
function isHeadingLike({ segments }: Row): boolean {
  const [segment] = segments;
  return segment?.words.every(({ bold }) => bold) ?? false;
}

function countBeside(band: readonly Row[]): number {
  return band.filter(({ segments }, index) => {
    const next = band[index + 1];
    return segments.length > 1 || (next !== undefined && standsBeside(band[index] as Row, next));
  }).length;
}

/** Which column a segment is in, by the gutters from left to right. */
export function columnOf({ x, width }: Segment, gutters: readonly Gutter[]): number {
  return gutters.filter(({ from, to }) => (from + to) / 2 < x + width / 2).length;
}
