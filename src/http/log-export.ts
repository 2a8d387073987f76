import { byteOrderMark, csvLine } from './csv.ts';

/** `json`: one object a line. */
export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Writes the columns of a log as CSV. */
export interface CsvColumns<Row> {
  heads: readonly string[];
  cells(row: Row): (string | number | null)[];
}

/** Writes all pages of a log as CSV, or as one JSON object a line. */
export async function* exportPages<Row>(
  pages: AsyncIterable<Row[]>,
  format: ExportFormat,
  { heads, cells }: CsvColumns<Row>,
): AsyncGenerator<string> {
  if (format === 'csv') yield byteOrderMark + csvLine(heads);
  for await (const rows of pages) {
    yield rows.map((row) => (format === 'csv' ? csvLine(cells(row)) : `${JSON.stringify(row)}\n`)).join('');
  }
}

/** Returns a time for a cell of a spreadsheet, in UTC and without fractions of a second. */
export function csvTime(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}

const pageSize = 500;

interface FoundPage<Row> {
  rows: Row[];
  /** Position to continue from. Null when everything was searched. */
  lookedTo: string | null;
}

/** Reads all rows of a log, page by page. Each page is read when the one before has been used. No page is empty. */
export async function* allPages<Row extends { id: string }>(
  read: (page: { afterId: string | null; limit: number }) => Promise<FoundPage<Row>>,
): AsyncGenerator<Row[]> {
  let afterId: string | null = null;
  do {
    const { rows, lookedTo }: FoundPage<Row> = await read({ afterId, limit: pageSize });
    if (rows.length > 0) yield rows;
    afterId = rows.length === pageSize ? (rows.at(-1)?.id ?? null) : lookedTo;
  } while (afterId !== null);
}

/** Returns the newest rows of a log, at most `limit`. */
export async function firstRows<Row>(pages: AsyncIterable<Row[]>, limit: number): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of pages) {
    found.push(...rows.slice(0, limit - found.length));
    if (found.length >= limit) break;
  }
  return found;
}
