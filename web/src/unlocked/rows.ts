import type { Block, EditedBlock, FormField } from './types.ts';

/** The position on the page, in points. New blocks have no height. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A page in the editor, as rows. List items are separate rows. */
export type Row = TextRow | TableRow | FieldRow;

interface AnyRow {
  /** Unique in the document. */
  key: string;
  box: Box;
}

export interface TextRow extends AnyRow {
  kind: 'heading' | 'paragraph' | 'item';
  text: string;
  /** The level of a heading, from 1, or of an item, from 0. */
  level: number;
  /** The marker of an item. */
  marker: string;
  ordered: boolean;
  style: { size: number; bold: boolean; italic: boolean };
}

export interface Cell {
  text: string;
  bold: boolean;
  box: Box;
}

export interface TableRow extends AnyRow {
  kind: 'table';
  cells: Cell[][];
}

export interface FieldRow extends AnyRow {
  kind: 'field';
  field: FormField;
}

export const bullet = '•';
let made = 0;

export function newKey(): string {
  made += 1;
  return String(made);
}

export function isText(row: Row | undefined): row is TextRow {
  return row !== undefined && row.kind !== 'table' && row.kind !== 'field';
}

export function toRows(blocks: readonly Block[]): Row[] {
  return blocks.flatMap(rowsOf);
}

function rowsOf(block: Block): Row[] {
  switch (block.type) {
    case 'heading':
      return [textRow('heading', block, { level: block.level })];
    case 'paragraph':
      return [textRow('paragraph', block, {})];
    case 'list':
      return block.items.map((item) => {
        const { level, marker, ordered } = item;
        return textRow('item', item, { level, marker, ordered });
      });
    case 'table': {
      const cells = block.rows.map((row) =>
        row.map((cell) => ({ text: cell.text, bold: cell.bold, box: boxOf(cell) })),
      );
      return [{ key: newKey(), kind: 'table', cells, box: boxOf(block) }];
    }
    case 'field':
      return [{ key: newKey(), kind: 'field', field: block, box: boxOf(block) }];
  }
}

type Written = Box & { text: string; size: number; bold: boolean; italic: boolean };

function textRow(
  kind: TextRow['kind'],
  written: Written,
  { level = 0, marker = bullet, ordered = false }: Partial<Pick<TextRow, 'level' | 'marker' | 'ordered'>>,
): TextRow {
  const { text, size, bold, italic } = written;
  return { key: newKey(), kind, text, level, marker, ordered, style: { size, bold, italic }, box: boxOf(written) };
}

function boxOf({ x, y, width, height }: Box): Box {
  return { x, y, width, height };
}

/** Joins consecutive items into one list. */
export function toBlocks(rows: readonly Row[]): EditedBlock[] {
  const blocks: EditedBlock[] = [];
  for (const row of rows) {
    const last = blocks.at(-1);
    if (row.kind === 'item') {
      const { text, marker, ordered, level, style, box } = row;
      const item = { text, marker, ordered, level, ...style, ...box };
      if (last?.type === 'list') {
        last.items.push(item);
        Object.assign(last, around(last, box));
      } else blocks.push({ type: 'list', ...box, items: [item] });
    } else blocks.push(toBlock(row));
  }
  return blocks;
}

function toBlock(row: Exclude<Row, { kind: 'item' }> | (TextRow & { kind: 'heading' | 'paragraph' })): EditedBlock {
  switch (row.kind) {
    case 'table':
      return {
        type: 'table',
        ...row.box,
        rows: row.cells.map((cells) => cells.map(({ box, ...cell }) => ({ ...cell, ...box }))),
      };
    case 'field':
      return row.field;
    case 'heading':
      return { type: 'heading', level: Math.max(1, row.level), text: row.text, ...row.style, ...row.box };
    default:
      return { type: 'paragraph', text: row.text, ...row.style, ...row.box };
  }
}

function around(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}
