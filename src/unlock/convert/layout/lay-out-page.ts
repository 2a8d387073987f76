import type { Block } from '../../blocks.ts';
import type { BodyStyle } from './body-style.ts';
import { buildBlocks } from './build-blocks.ts';
import { buildRows, rowOfSegments } from './build-rows.ts';
import { buildTable } from './build-table.ts';
import { columnOf, findBands, type Gutter } from './find-bands.ts';
import { isTable } from './is-table.ts';
import { lineOf } from './lines.ts';
import { mirror, mirrorBlock } from './mirror.ts';
import { placeFields } from './place-fields.ts';
import { readsRightToLeft } from './scripts.ts';
import type { PageWords, Row, Segment } from './word.ts';

/** Maximum depth of columns in columns. They are rare, and a hostile page must not exhaust the stack. */
const depthMax = 4;

/** Returns the blocks of a page in reading order. */
export function layOutPage(page: PageWords, body: BodyStyle): Block[] {
  // A page that reads from right to left is mirrored first, so that its columns and lines begin at the left.
  const isMirrored = readsRightToLeft(page.words);
  if (!isMirrored) return layOut(page, body, false);
  return layOut(mirror(page), body, true).map((block) => mirrorBlock(block, page.width));
}

function layOut(page: PageWords, body: BodyStyle, isMirrored: boolean): Block[] {
  const blocks = layOutRows(buildRows(page.words), { page, body, isMirrored }, 0);
  return placeFields(blocks, page);
}

interface Context {
  page: PageWords;
  body: BodyStyle;
  isMirrored: boolean;
}

function layOutRows(rows: readonly Row[], context: Context, depth: number): Block[] {
  if (rows.length === 0) return [];
  if (depth === depthMax) return layOutFlow(rows, context);
  return findBands(rows).flatMap((band) => {
    if (band.kind === 'flow') return layOutFlow(band.rows, context);
    if (isTable(band.rows, band.gutters)) return [buildTable(band.rows, band.gutters, context.isMirrored)];
    return columnsOf(band.rows, band.gutters).flatMap((column) => layOutRows(column, context, depth + 1));
  });
}

function layOutFlow(rows: readonly Row[], { page, body, isMirrored }: Context): Block[] {
  return buildBlocks(
    rows.map((row) => lineOf(row, page.fields, isMirrored)),
    body,
  );
}

function columnsOf(rows: readonly Row[], gutters: readonly Gutter[]): Row[][] {
  return Array.from({ length: gutters.length + 1 }, (_, column) =>
    rows.flatMap(({ segments }) => {
      const own = segments.filter((segment: Segment) => columnOf(segment, gutters) === column);
      return own.length === 0 ? [] : [rowOfSegments(own)];
    }),
  );
}
