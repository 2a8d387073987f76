import { allPages, csvTime, type ExportFormat, exportPages } from '../http/log-export.ts';
import type { Language } from '../platform/language.ts';
import type { Queryable } from '../postgres/database.ts';
import { listLoggedMessages } from './list-messages.ts';
import type { MessageJson } from './message-json.ts';
import { stateNames } from './message-words.ts';
import type { MessageFilter } from './read-message-log.ts';

const heads: Record<Language, string[]> = {
  en: [
    'Queued (UTC)',
    'Message',
    'To',
    'Name',
    'Document',
    'Document ID',
    'State',
    'Accepted (UTC)',
    'Queue ID',
    'Attempts',
    'Next attempt (UTC)',
    'Bounced (UTC)',
    'Error',
    'Reply',
    'ID',
  ],
  es: [
    'En cola (UTC)',
    'Mensaje',
    'Para',
    'Nombre',
    'Documento',
    'ID del documento',
    'Estado',
    'Aceptado (UTC)',
    'ID de la cola',
    'Intentos',
    'Próximo intento (UTC)',
    'Devuelto (UTC)',
    'Error',
    'Respuesta',
    'ID',
  ],
};

export interface MessageExport {
  accountId: string;
  filter: MessageFilter;
  format: ExportFormat;
  language: Language;
}

/** Writes the matching messages as CSV, or as one JSON object a line. Each page is read when the one before has been sent. */
export function exportMessageLog(db: Queryable, { format, ...log }: MessageExport): AsyncGenerator<string> {
  const { language } = log;
  const time = (at: string | null) => (at === null ? null : csvTime(at));
  return exportPages(messagePages(db, log), format, {
    heads: heads[language],
    cells: (message) => [
      time(message.queued_at),
      message.kind_name,
      message.to.address,
      message.to.name,
      message.document.title,
      message.document.id,
      stateNames[language][message.state],
      time(message.accepted_at),
      message.queue_id,
      message.attempts,
      time(message.next_attempt_at),
      time(message.bounced_at),
      message.error?.text ?? null,
      message.error?.reply ?? null,
      message.id,
    ],
  });
}

/** Reads all matching messages, page by page. No page is empty. */
export function messagePages(
  db: Queryable,
  { accountId, filter, language }: Omit<MessageExport, 'format'>,
): AsyncGenerator<MessageJson[]> {
  return allPages((page) => listLoggedMessages(db, accountId, filter, { ...page, language }));
}
