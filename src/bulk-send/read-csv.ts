import { CsvError, type Options, parse } from 'csv-parse';
import { plainCell } from '../http/csv.ts';

export const csvBytesMax = 5 * 2 ** 20;
export const bulkRowsMax = 10_000;
export const csvColumnsMax = 200;

/** Why a file can't be used at all. */
export type CsvFault =
  | 'empty'
  | 'no_rows'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'not_text'
  | 'workbook'
  | 'broken_quotes';

/** A row of a CSV file. `number` is the one that spreadsheets show: the header is row 1. */
export interface CsvRow {
  number: number;
  cells: string[];
}

export type CsvTable = { ok: true; header: string[]; rows: CsvRow[] } | { ok: false; fault: CsvFault; row?: number };

/** Reads a CSV file of at most `csvBytesMax`. Leaves out empty rows. Stops at the first row above the maximum. */
export async function readCsv(bytes: Uint8Array): Promise<CsvTable> {
  if (isWorkbook(bytes)) return { ok: false, fault: 'workbook' };
  const text = decode(bytes);
  if (text === null) return { ok: false, fault: 'not_text' };
  if (text.trim() === '') return { ok: false, fault: 'empty' };
  return parseText(text);
}

/** Excel workbooks (zip, and the older format) are no CSV files, whatever their name says. */
function isWorkbook(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  return beginning.startsWith('504b') || beginning === 'd0cf11e0';
}

/** Decodes UTF-8, UTF-16 with a mark, or else Windows-1252, in which Excel saves CSV files. Null for other bytes. */
function decode(bytes: Uint8Array): string | null {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const encodings = mark === 'fffe' ? ['utf-16le'] : mark === 'feff' ? ['utf-16be'] : ['utf-8', 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return text.includes('\u0000') ? null : text;
    } catch {
      // The next encoding may fit.
    }
  }
  return null;
}

async function parseText(text: string): Promise<CsvTable> {
  const options: Options = {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: 2 ** 20,
  };
  const rows: CsvRow[] = [];
  let header: string[] | null = null;
  let number = 0;
  const parser = parse(text, options);
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      number += 1;
      if (record.length > csvColumnsMax) return { ok: false, fault: 'too_many_columns', row: number };
      const cells = record.map((cell) => plainCell(cell.trim()));
      if (cells.every((cell) => cell === '')) continue;
      if (header === null) header = cells;
      else rows.push({ number, cells });
      if (rows.length > bulkRowsMax) return { ok: false, fault: 'too_many_rows' };
    }
  } catch (error) {
    if (error instanceof CsvError) return { ok: false, fault: 'broken_quotes', row: Number(error.records) + 1 };
    throw error;
  } finally {
    parser.destroy();
  }
  if (header === null) return { ok: false, fault: 'empty' };
  return rows.length === 0 ? { ok: false, fault: 'no_rows' } : { ok: true, header, rows };
}

/** Returns the separator that is most frequent in the header. Spreadsheets use a semicolon where the comma is decimal. */
function delimiterOf(text: string): string {
  const header = /^\s*(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, headerLengthMax))?.[0] ?? '';
  const unquoted = header.replaceAll(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: unquoted.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

const headerLengthMax = 50_000;
