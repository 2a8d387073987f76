import { documentTypeNames } from '../../../src/document-types.ts';
import type { QueryValues } from '../api/client.ts';
import { statusNames } from '../ui/status-badge.tsx';
import { isFolder } from './folder-search.ts';
import { documentsText } from './texts.ts';
import type { DocumentStatus, DocumentType } from './types.ts';

export type Sort = keyof typeof documentsText.sorts;

/** What the address of the list holds: filters, the order, columns and a cursor. Dates are days, such as `2026-03-01`. */
export interface DocumentSearch {
  q?: string;
  /** The id of a folder, or `none` for documents in no folder. */
  folder?: string;
  status?: DocumentStatus;
  type?: DocumentType;
  sender?: string;
  recipient?: string;
  /** Scheduled documents only. */
  scheduled?: 'yes';
  /** The first and the last day of creation, in the time zone of the browser. */
  from?: string;
  to?: string;
  sort?: Sort;
  /** More columns, comma-separated. */
  columns?: string;
  after?: string;
}

const textLengthMax = 200;
const sender = /^(?:(?:person|api_key):[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|operator|service)$/;
const cursor = /^[\w-]{1,2000}$/;

/** Which values each parameter may have. */
const isGood: Record<keyof DocumentSearch, (text: string) => boolean> = {
  q: isText,
  folder: isFolder,
  status: (text) => Object.hasOwn(statusNames, text),
  type: (text) => Object.hasOwn(documentTypeNames.en, text),
  sender: (text) => sender.test(text),
  recipient: isText,
  scheduled: (text) => text === 'yes',
  from: isDay,
  to: isDay,
  sort: (text) => Object.hasOwn(documentsText.sorts, text),
  columns: (text) => text.split(',').every((name) => Object.hasOwn(documentsText.moreColumns, name)),
  after: (text) => cursor.test(text),
};

/**
 * Reads the address of the list, and ignores what is malformed. The router keeps such values, so everything that reads the
 * address calls this: `readDocumentSearch(route.useSearch())`. The router reads `q=2026` as a number.
 */
export function readDocumentSearch(raw: Record<string, unknown>): DocumentSearch {
  const read = Object.entries(isGood).flatMap(([name, good]) => {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof text === 'string' && good(text) ? [[name, text]] : [];
  });
  return Object.fromEntries(read);
}

function isText(text: string): boolean {
  return text.trim() !== '' && text.length <= textLengthMax && text.isWellFormed() && !text.includes('\u0000');
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

/** Changes a filter or the order. The list then begins with its first page. */
export function withValue(raw: DocumentSearch, name: keyof DocumentSearch, value: string): DocumentSearch {
  const { [name]: _replaced, after: _page, ...rest } = readDocumentSearch({ ...raw });
  return value === '' ? rest : { ...rest, [name]: value };
}

/** The filters of an address, without its page, order and columns. */
export function filtersOf({ after: _page, sort: _order, columns: _more, ...filters }: DocumentSearch): DocumentSearch {
  return filters;
}

/** The address without its filters and page. The folder stays. */
export function withoutFilters({ folder, sort, columns }: DocumentSearch): DocumentSearch {
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(sort === undefined ? {} : { sort }),
    ...(columns === undefined ? {} : { columns }),
  };
}

/** Adds a column to those of an address, or removes it. They keep their order. The page of the list stays. */
export function withColumnToggled(raw: DocumentSearch, name: string): DocumentSearch {
  const { columns: before, after } = readDocumentSearch({ ...raw });
  const shown = new Set(before?.split(','));
  if (!shown.delete(name)) shown.add(name);
  const columns = Object.keys(documentsText.moreColumns).filter((column) => shown.has(column));
  return { ...withValue(raw, 'columns', columns.join(',')), ...(after === undefined ? {} : { after }) };
}

/** The filters as parameters of the server. */
export function filterQuery({ from, to, ...search }: DocumentSearch): QueryValues {
  return { ...filtersOf(search), created_from: from && startOfDay(from, 0), created_before: to && startOfDay(to, 1) };
}

/** The parameters of the CSV file with all documents of the filters. It is sorted by creation. */
export function exportQuery({ sort, ...search }: DocumentSearch): QueryValues {
  return { ...filterQuery(search), sort: sort === 'oldest' ? sort : undefined };
}

/** Returns when a day, or the one so many days later, begins in the browser's time zone. */
function startOfDay(day: string, later: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + later);
  start.setFullYear(year, month - 1, date + later); // Years before 100 are not of the 20th century.
  return start.toISOString();
}
