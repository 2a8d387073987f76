import type { Recipient } from '../documents/recipient.ts';
import { byteOrderMark, csvLine } from '../http/csv.ts';
import type { Language } from '../platform/language.ts';
import type { Queryable } from '../postgres/database.ts';
import { countHeads, type LabelledField, templateColumns, unsentHeads } from './columns.ts';
import { faultText } from './fault-texts.ts';
import type { ListedBulkSend, RowStatus } from './list-bulk-sends.ts';
import { listRows } from './list-rows.ts';

/** Returns the header of a CSV file for a template, which spreadsheets open as a table to fill in. */
export function sampleCsv(
  recipients: readonly Recipient[],
  fields: readonly LabelledField[],
  language: Language,
): string {
  const sampled = templateColumns(recipients, fields).filter(({ isSampled }) => isSampled);
  return byteOrderMark + csvLine(sampled.map(({ label }) => label[language]));
}

export interface ExportedBulkSend {
  accountId: string;
  bulkSend: ListedBulkSend;
  recipients: readonly Recipient[];
  fields: readonly LabelledField[];
  language: Language;
}

const unsentTexts: Record<Language, string> = { en: 'not sent', es: 'no enviada' };
const pageSize = 500;

/**
 * Writes the rows that are not sent as CSV, page by page, with their numbers and problems in front. The file can be corrected and
 * uploaded again: the two columns in front fill in nothing, and replace those that the file has already. Rows that still wait to
 * be sent are left out.
 */
export async function* exportUnsent(
  db: Queryable,
  { accountId, bulkSend, recipients, fields, language }: ExportedBulkSend,
): AsyncGenerator<string> {
  const { id, status, columns } = bulkSend;
  const sampled = templateColumns(recipients, fields);
  const isOver = status === 'cancelled' || status === 'stopped';
  const statuses: RowStatus[] = isOver ? ['faulty', 'failed', 'ready'] : ['faulty', 'failed'];
  const front = countHeads(columns);
  yield byteOrderMark + csvLine([...unsentHeads[language], ...columns.slice(front)]);
  for (let afterNumber = 0; ; ) {
    const rows = await listRows(db, { accountId, id }, { readerId: null, statuses, afterNumber, limit: pageSize });
    const lines = rows.map(({ number, cells, faults }) => {
      const texts = faults.map((fault) => faultText(fault, columns, sampled, language));
      return csvLine([number, texts.join('; ') || unsentTexts[language], ...(cells ?? []).slice(front)]);
    });
    if (lines.length > 0) yield lines.join('');
    if (rows.length < pageSize) return;
    afterNumber = rows.at(-1)?.number ?? 0;
  }
}
