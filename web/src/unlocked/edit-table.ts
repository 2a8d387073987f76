import type { Cell, TableRow } from './rows.ts';

const empty: Cell = { text: '', bold: false, box: { x: 0, y: 0, width: 0, height: 0 } };

export function setCell(table: TableRow, row: number, column: number, text: string): TableRow {
  const cells = table.cells.map((line, index) =>
    index === row ? line.map((cell, at) => (at === column ? { ...cell, text } : cell)) : line,
  );
  return { ...table, cells };
}

export function addLine(table: TableRow, after: number): TableRow {
  const line = (table.cells[0] ?? []).map(() => empty);
  return { ...table, cells: table.cells.toSpliced(after + 1, 0, line) };
}

export function addColumn(table: TableRow, after: number): TableRow {
  return { ...table, cells: table.cells.map((line) => line.toSpliced(after + 1, 0, empty)) };
}

/** Returns null if no cells are left. */
export function removeLine(table: TableRow, row: number): TableRow | null {
  return table.cells.length > 1 ? { ...table, cells: table.cells.toSpliced(row, 1) } : null;
}

export function removeColumn(table: TableRow, column: number): TableRow | null {
  const isLast = (table.cells[0]?.length ?? 0) <= 1;
  return isLast ? null : { ...table, cells: table.cells.map((line) => line.toSpliced(column, 1)) };
}
