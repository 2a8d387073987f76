import { isUtf8 } from 'node:buffer';
import { CsvError, type Options, parse } from 'csv-parse';
import { plainCell } from '../http/csv.ts';
import { countHeads } from './columns.ts';

export const csvBytesMax = 5 * 2 ** 20;
export const bulkRowsMax = 10_000;
/** Without the two in front of a file of unsent rows. */
export const csvColumnsMax = 200;
/** The maximum size of a row, in bytes. */
const rowBytesMax = 2 ** 20;

/** Why a file can't be used at all. */
export type CsvFault =
  | 'empty'
  | 'no_rows'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'not_text'
  | 'broken_text'
  | 'workbook'
  | 'open_quote'
  | 'misplaced_quote'
  | 'row_too_large';

/** A row of a CSV file. `number` is the one that spreadsheets show: the header is row 1. */
export interface CsvRow {
  number: number;
  cells: string[];
}

export type CsvTable = { ok: true; header: string[]; rows: CsvRow[] } | { ok: false; fault: CsvFault; row?: number };

/**
 * Reads a CSV file of at most `csvBytesMax`. Leaves out empty rows: the two columns in front of a file of unsent rows don't count.
 * Stops at the first row above the maximum.
 */
export async function readCsv(bytes: Uint8Array): Promise<CsvTable> {
  if (isWorkbook(bytes)) return { ok: false, fault: 'workbook' };
  const decoded = decode(bytes);
  if (decoded === null) return { ok: false, fault: 'not_text' };
  if (decoded.text.trim() === '') return { ok: false, fault: 'empty' };
  return parseText(decoded);
}

/** Excel workbooks (zip, and the older format) are no CSV files, whatever their name says. */
function isWorkbook(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  return beginning.startsWith('504b') || beginning === 'd0cf11e0';
}

/** Returns null for bytes that are no text. `isBroken`: it is UTF-8 with bytes that aren't. */
function decode(bytes: Uint8Array): { text: string; isBroken: boolean } | null {
  const encoding = encodingOf(bytes);
  const isBroken = encoding === 'utf-8' && !isUtf8(bytes);
  try {
    const text = new TextDecoder(encoding, { fatal: !isBroken }).decode(bytes);
    return text.includes('\u0000') ? null : { text, isBroken };
  } catch {
    return null;
  }
}

/**
 * Returns UTF-16 with a mark, UTF-8, or else Windows-1252, in which Excel saves CSV files. Windows-1252 fits any bytes: one broken
 * character in UTF-8 would make all accents wrong. So a file that also has characters in UTF-8 is in UTF-8.
 */
function encodingOf(bytes: Uint8Array): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  if (isUtf8(bytes)) return 'utf-8';
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return /[^\p{ASCII}\ufffd]/u.test(text) ? 'utf-8' : 'windows-1252';
}

async function parseText(file: { text: string; isBroken: boolean }): Promise<CsvTable> {
  const { delimiter, text } = withoutSeparatorLine(file.text);
  const options: Options = {
    delimiter,
    relax_column_count: true,
    // Also spaces around quotes.
    trim: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: rowBytesMax,
  };
  const rows: CsvRow[] = [];
  let header: string[] | null = null;
  let front = 0;
  let number = 0;
  const parser = parse(text, options);
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      number += 1;
      if (record.length > columnsMax(header ?? record)) return { ok: false, fault: 'too_many_columns', row: number };
      if (file.isBroken && record.some(isBrokenCell)) return { ok: false, fault: 'broken_text', row: number };
      const cells = record.map((cell) => plainCell(cell.trim()));
      if (cells.slice(front).every((cell) => cell === '')) continue;
      if (header === null) {
        header = cells;
        front = countHeads(header);
      } else {
        rows.push({ number, cells });
      }
      if (rows.length > bulkRowsMax) return { ok: false, fault: 'too_many_rows' };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { ok: false, fault: parserFaults[error.code] ?? 'misplaced_quote', row: Number(error.records) + 1 };
  } finally {
    parser.destroy();
  }
  if (header === null) return { ok: false, fault: 'empty' };
  return rows.length === 0 ? { ok: false, fault: 'no_rows' } : { ok: true, header, rows };
}

function isBrokenCell(cell: string): boolean {
  return cell.includes('\ufffd');
}

function columnsMax(header: readonly string[]): number {
  return csvColumnsMax + countHeads(header.slice(0, 2));
}

const parserFaults: Partial<Record<CsvError['code'], CsvFault>> = {
  CSV_QUOTE_NOT_CLOSED: 'open_quote',
  CSV_MAX_RECORD_SIZE: 'row_too_large',
};

/** Returns the separator and the text below the line `sep=;`, with which some programs name it to Excel. */
function withoutSeparatorLine(text: string): { delimiter: string; text: string } {
  const [line, , named] = /^("?)sep=([^"\p{L}\p{N}\r\n\ufffd])\1(?:\r\n|\n|\r|$)/iu.exec(text) ?? [];
  if (line === undefined || named === undefined) return { delimiter: delimiterOf(text), text };
  return { delimiter: named, text: text.slice(line.length) };
}

/** Returns the separator that is most frequent in the header. Spreadsheets use a semicolon where the comma is decimal. */
function delimiterOf(text: string): string {
  const header = /^\s*(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, headerLengthMax))?.[0] ?? '';
  const unquoted = header.replaceAll(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: unquoted.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

const headerLengthMax = 50_000;
