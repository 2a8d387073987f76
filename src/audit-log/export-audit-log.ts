import { byteOrderMark, csvLine } from '../http/csv.ts';
import type { Language } from '../platform/language.ts';
import type { Queryable } from '../postgres/database.ts';
import { actorName, auditJson } from './audit-json.ts';
import { type AuditFilter, type LoggedAction, readAuditLog } from './read-audit-log.ts';

export const auditFormats = ['csv', 'json'] as const;
export type AuditFormat = (typeof auditFormats)[number];

const heads: Record<Language, string[]> = {
  en: ['Time (UTC)', 'Person', 'What', 'Action', 'Details', 'ID'],
  es: ['Hora (UTC)', 'Persona', 'Qué', 'Acción', 'Detalles', 'ID'],
};

export interface AuditExport {
  accountId: string;
  filter: AuditFilter;
  format: AuditFormat;
  language: Language;
}

/** Writes the matching entries as CSV, or as one JSON object a line. Each page is read when the one before has been sent. */
export async function* exportAuditLog(
  db: Queryable,
  { accountId, filter, format, language }: AuditExport,
): AsyncGenerator<string> {
  if (format === 'csv') yield byteOrderMark + csvLine(heads[language]);
  for await (const rows of auditPages(db, accountId, filter)) {
    yield rows.map((row) => (format === 'csv' ? csvRow(row, language) : jsonLine(row, language))).join('');
  }
}

const pageSize = 500;

/** Reads all matching entries, page by page. No page is empty. */
export async function* auditPages(
  db: Queryable,
  accountId: string,
  filter: AuditFilter,
): AsyncGenerator<LoggedAction[]> {
  let afterId: string | null = null;
  do {
    const { rows, lookedTo }: Awaited<ReturnType<typeof readAuditLog>> = await readAuditLog(db, accountId, filter, {
      afterId,
      limit: pageSize,
    });
    if (rows.length > 0) yield rows;
    afterId = rows.length === pageSize ? (rows.at(-1)?.id ?? null) : lookedTo;
  } while (afterId !== null);
}

function csvRow(row: LoggedAction, language: Language): string {
  const { id, at, action, by, text, detail } = auditJson(row, language);
  const time = at.slice(0, 19).replace('T', ' ');
  return csvLine([time, actorName(by, language), text, action, JSON.stringify(detail), id]);
}

function jsonLine(row: LoggedAction, language: Language): string {
  return `${JSON.stringify(auditJson(row, language))}\n`;
}
