/** Makes Excel read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';

/** How spreadsheets begin a formula, after spaces and characters that they skip. Full-width signs count too. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Writes a line of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

/** Returns a cell as it was before `csvLine` put an apostrophe in front of it. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
}
