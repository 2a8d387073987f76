import { documentTypeName } from '../../document-types.ts';
import type { DocumentFilter, ListPosition } from '../../documents/document-filter.ts';
import type { DocumentJsonRow } from '../../documents/json.ts';
import { readSenderNames } from '../../documents/list-senders.ts';
import { listRecipientsOfDocuments } from '../../documents/queries.ts';
import type { Recipient } from '../../documents/recipient.ts';
import { searchDocuments } from '../../documents/search-documents.ts';
import { documentStatusNames } from '../../documents/status-names.ts';
import { byteOrderMark, csvLine } from '../../http/csv.ts';
import type { Language } from '../../platform/language.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';

export interface ExportOptions {
  accountId: string;
  filter: DocumentFilter;
  /** Sorted by id, so that a document that changes meanwhile is neither left out nor repeated. */
  sort: 'newest' | 'oldest';
  language: Language;
}

const heads: Record<Language, string[]> = {
  en: [
    'Title',
    'Type',
    'Status',
    'Recipients',
    'Sent by',
    'Created (UTC)',
    'Sent (UTC)',
    'Completed (UTC)',
    'Voided (UTC)',
    'Reason for voiding',
    'Expires (UTC)',
    'Last change (UTC)',
    'ID',
  ],
  es: [
    'Título',
    'Tipo',
    'Estado',
    'Destinatarios',
    'Enviado por',
    'Creado (UTC)',
    'Enviado (UTC)',
    'Completado (UTC)',
    'Anulado (UTC)',
    'Motivo de la anulación',
    'Caduca (UTC)',
    'Último cambio (UTC)',
    'ID',
  ],
};

const pageSize = 500;

/** Writes documents as CSV, page by page. Each page is read when the one before has been sent, so few are in memory. */
export async function* exportDocuments(
  db: Queryable,
  { accountId, filter, sort, language }: ExportOptions,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(heads[language]);
  let after: ListPosition | null = null;
  do {
    const { rows, next } = await searchDocuments(db, accountId, { filter, sort, title: null, after, limit: pageSize });
    const ids = rows.map(({ id }) => id);
    const [all, senders] = await Promise.all([
      listRecipientsOfDocuments(db, accountId, ids),
      readSenderNames(db, accountId, ids),
    ]);
    const recipients = Map.groupBy(all, ({ document_id }) => document_id);
    const lines = rows.map((row) => {
      return documentLine(row, recipients.get(row.id) ?? [], senders.get(row.id) ?? null, language);
    });
    if (lines.length > 0) yield lines.join('');
    after = next;
  } while (after !== null);
}

function documentLine(
  row: DocumentJsonRow,
  recipients: readonly Recipient[],
  sender: string | null,
  language: Language,
) {
  return csvLine([
    row.title,
    documentTypeName(row.type, language),
    documentStatusNames[language][row.status],
    recipients.map(recipientText).join('; '),
    sender,
    timeText(row.created_at),
    timeText(row.sent_at),
    timeText(row.completed_at),
    timeText(row.voided_at),
    row.voided_reason,
    timeText(row.expires_at),
    timeText(row.updated_at),
    row.id,
  ]);
}

function recipientText({ display_name, email, phone }: Recipient): string {
  const address = email ?? phone;
  return address === null ? display_name : `${display_name} <${address}>`;
}

/** A form that spreadsheets read as a time: `2026-03-01 09:30:00`. */
function timeText(at: Timestamp | null): string | null {
  return at === null ? null : at.slice(0, 19).replace('T', ' ');
}
