import { linesBlock } from '../../../pdf/drawing/block.ts';
import type { Flow } from '../../../pdf/drawing/flow.ts';
import { colours, margins, type Style } from '../../../pdf/drawing/theme.ts';
import { fontStacks } from '../../../pdf/text/typefaces.ts';
import { type Line, wrapText } from '../../../pdf/text/wrap-text.ts';
import type { Table, TableCell } from '../../blocks.ts';
import { columnWidths } from './column-widths.ts';

/** The lines of each cell of a row. Each line fits into its column. */
type RowLines = Line[][];

interface Columns {
  style: Style;
  heads: Style;
  /** Width of each column, with its padding. */
  widths: number[];
  padding: number;
  /** Whether the first column is at the right. */
  isMirrored: boolean;
}

/** Draws a table. A row that does not fit moves to the next page, below the header row. A row longer than a page is split. */
export function drawTable(flow: Flow, { rows }: Table): void {
  const columns = columnsOf(rows, flow.width);
  const [first = [], ...others] = rows;
  const head = isHead(first) && others.length > 0 ? linesOf(first, columns) : null;
  flow.ensure(2 * columns.style.leading + 4 * columns.padding);
  line(flow);
  for (const row of rows) drawRow(flow, linesOf(row, columns), columns, row === first ? null : head);
}

/** Font size and padding, by the number of columns. */
const smallest = { columns: Number.POSITIVE_INFINITY, size: 4.5, padding: 1 };
const sizes = [
  { columns: 7, size: 9.5, padding: 4 },
  { columns: 12, size: 7.5, padding: 3 },
  { columns: 20, size: 6, padding: 2 },
];

function columnsOf(rows: Table['rows'], width: number): Columns {
  const count = rows[0]?.length ?? 1;
  const { size, padding } = sizes.find(({ columns }) => count <= columns) ?? smallest;
  const style: Style = { stack: fontStacks.sans, size, leading: size * 1.4 };
  const heads: Style = { ...style, stack: fontStacks.sansSemiBold };
  const cells = rows.flat();
  return {
    style,
    heads,
    widths: columnWidths(rows, style, width, 2 * padding),
    padding,
    isMirrored: cells.filter(({ rtl }) => rtl).length * 2 > cells.filter(({ text }) => text !== '').length,
  };
}

function isHead(row: readonly TableCell[]): boolean {
  const filled = row.filter(({ text }) => text !== '');
  return filled.length > 0 && filled.every(({ bold }) => bold);
}

function linesOf(row: readonly TableCell[], { style, heads, widths, padding }: Columns): RowLines {
  return row.map(({ text, bold }, column) => {
    const width = Math.max(1, (widths[column] as number) - 2 * padding);
    return text === '' ? [] : wrapText(text, bold ? heads : style, width);
  });
}

function drawRow(flow: Flow, row: RowLines, columns: Columns, head: RowLines | null): void {
  const { padding } = columns;
  const { leading } = columns.style;
  const linesWithin = (top: number) => Math.floor((flow.canvas.height - margins.bottom - top - 2 * padding) / leading);
  // A header row that takes much of a page is not repeated.
  const repeated = heightOf(head, columns) < flow.canvas.height / 4 ? head : null;
  const top = margins.top + heightOf(repeated, columns);
  let rest = row;
  for (let wanted = countOf(rest); wanted > linesWithin(flow.y); wanted = countOf(rest)) {
    const isFresh = flow.y <= top;
    const isSplit = isFresh || wanted > linesWithin(top);
    const count = isSplit ? Math.max(isFresh ? 1 : 0, linesWithin(flow.y)) : 0;
    if (count > 0) {
      drawLines(flow, rest, count, columns);
      rest = rest.map((lines) => lines.slice(count));
      if (rest.every((lines) => lines.length === 0)) return;
    }
    flow.newPage();
    line(flow);
    if (repeated !== null) drawLines(flow, repeated, countOf(repeated), columns);
  }
  drawLines(flow, rest, countOf(rest), columns);
}

/** Returns the number of lines of a row. An empty row counts as one line. */
function countOf(row: RowLines): number {
  return Math.max(1, ...row.map((lines) => lines.length));
}

function heightOf(row: RowLines | null, { style, padding }: Columns): number {
  return row === null ? 0 : countOf(row) * style.leading + 2 * padding;
}

/** Draws the first lines of each cell and the rule below them. */
function drawLines(flow: Flow, row: RowLines, count: number, { style, widths, padding, isMirrored }: Columns): void {
  let x = isMirrored ? flow.left + flow.width : flow.left;
  for (const [column, lines] of row.entries()) {
    const width = widths[column] as number;
    if (isMirrored) x -= width;
    for (const [index, text] of lines.slice(0, count).entries()) {
      const indent = text.rightToLeft ? width - padding - text.width : padding;
      linesBlock([text], style, colours.ink).draw(flow.canvas, x + indent, flow.y + padding + index * style.leading);
    }
    if (!isMirrored) x += width;
  }
  flow.y += count * style.leading + 2 * padding;
  line(flow);
}

function line(flow: Flow): void {
  flow.canvas.rule({ x: flow.left, y: flow.y }, { x: flow.left + flow.width, y: flow.y }, colours.rule);
}
