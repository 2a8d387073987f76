import { allPages, csvTime, type ExportFormat, exportPages } from '../http/log-export.ts';
import type { Language } from '../platform/language.ts';
import type { Queryable } from '../postgres/database.ts';
import { type AuditJson, actorName, auditJson } from './audit-json.ts';
import { type AuditFilter, readAuditLog } from './read-audit-log.ts';

const heads: Record<Language, string[]> = {
  en: ['Time (UTC)', 'Person', 'What', 'Action', 'Details', 'ID'],
  es: ['Hora (UTC)', 'Persona', 'Qué', 'Acción', 'Detalles', 'ID'],
};

export interface AuditExport {
  accountId: string;
  filter: AuditFilter;
  format: ExportFormat;
  language: Language;
}

/** Writes the matching entries as CSV, or as one JSON object a line. Each page is read when the one before has been sent. */
export function exportAuditLog(db: Queryable, { format, ...log }: AuditExport): AsyncGenerator<string> {
  const { language } = log;
  return exportPages(auditPages(db, log), format, {
    heads: heads[language],
    cells: ({ id, at, action, by, text, detail }) => {
      return [csvTime(at), actorName(by, language), text, action, JSON.stringify(detail), id];
    },
  });
}

/** Reads all matching entries, page by page. No page is empty. */
export function auditPages(
  db: Queryable,
  { accountId, filter, language }: Omit<AuditExport, 'format'>,
): AsyncGenerator<AuditJson[]> {
  return allPages(async (page) => {
    const { rows, lookedTo } = await readAuditLog(db, accountId, filter, page);
    return { rows: rows.map((row) => auditJson(row, language)), lookedTo };
  });
}
