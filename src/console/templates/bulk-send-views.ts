import type { StopReason } from '../../bulk-send/bulk-send.ts';
import { type TemplateColumn, templateColumns } from '../../bulk-send/columns.ts';
import { columnName } from '../../bulk-send/fault-texts.ts';
import { countRows, type ListedBulkSend, type RowCounts, type RowStatus } from '../../bulk-send/list-bulk-sends.ts';
import { type ListedRow, listRows } from '../../bulk-send/list-rows.ts';
import { type BulkWait, findWait } from '../../bulk-send/send-rows.ts';
import { readAttachment } from '../../documents/attachment.ts';
import type { Document } from '../../documents/document.ts';
import { listRecipients } from '../../documents/queries.ts';
import type { Language } from '../../platform/language.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { readerOf } from '../core/authorise.ts';
import type { MemberCall } from '../core/console-endpoint.ts';

/** Bulk sends as the console's pages show them. The pages import these types. */

export interface BulkSendSummary {
  id: string;
  file_name: string;
  status: ListedBulkSend['status'];
  stop_reason: StopReason | null;
  rows: RowCounts;
  created_at: Timestamp;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
}

export interface BulkSendDetail extends BulkSendSummary {
  template: { id: string; title: string };
  /** What a running one waits for. Null: it doesn't wait, or doesn't run. */
  waits_for: BulkWait | null;
  /** The header of the file. */
  columns: string[];
  /** Whether the template has changed since the file was checked. It can then no longer be started. */
  is_outdated: boolean;
  /** The first rows with faults. */
  first_faults: RowView[];
}

export interface RowView {
  /** The number that spreadsheets show. The header is row 1. */
  number: number;
  status: RowStatus;
  /** Null if the recipient was erased, or if the caller may not see the document. */
  cells: string[] | null;
  /** `column`: its name in the file, or in the sample. Null for a fault of the whole row. */
  faults: Array<{ column: string | null; code: string }>;
  /** The number of the first row with the same content. */
  duplicate_of: number | null;
  document_id: string | null;
}

export function bulkSendSummary(bulkSend: ListedBulkSend, rows: RowCounts): BulkSendSummary {
  const { id, file_name, status, stop_reason, created_at, started_at, ended_at } = bulkSend;
  return { id, file_name, status, stop_reason, rows, created_at, started_at, ended_at };
}

const firstFaultsMax = 20;

/** Reads what the page of a bulk send shows. */
export async function viewBulkSend(
  db: Queryable,
  call: MemberCall<unknown>,
  template: Document,
  bulkSend: ListedBulkSend,
): Promise<BulkSendDetail> {
  const { account_id: accountId } = template;
  const { id, columns } = bulkSend;
  const page = {
    readerId: readerOf(call),
    statuses: ['faulty', 'failed'] as const,
    afterNumber: 0,
    limit: firstFaultsMax,
  };
  const [counts, faulty, sampled, waitsFor] = await Promise.all([
    countRows(db, accountId, [id]),
    listRows(db, { accountId, id }, page),
    listColumns(db, template),
    bulkSend.status === 'running' ? findWait(db, accountId, id) : null,
  ]);
  return {
    ...bulkSendSummary(bulkSend, counts.get(id) as RowCounts),
    template: { id: template.id, title: template.title },
    waits_for: waitsFor,
    columns,
    is_outdated: template.audit_seq !== bulkSend.template_version,
    first_faults: faulty.map((row) => rowView(call.language, row, columns, sampled)),
  };
}

/** Lists all columns that a template can use. */
export async function listColumns(db: Queryable, { account_id, id }: Document): Promise<TemplateColumn[]> {
  const [recipients, attachment] = await Promise.all([
    listRecipients(db, account_id, id),
    readAttachment(db, account_id, id),
  ]);
  return templateColumns(recipients, attachment?.fields);
}

/** Hides the row of a document that the caller may not see. */
export function rowView(
  language: Language,
  { number, status, cells, faults, duplicate_of, document_id, is_hidden }: ListedRow,
  columns: readonly string[],
  sampled: readonly TemplateColumn[],
): RowView {
  return {
    number,
    status,
    cells: is_hidden ? null : cells,
    faults: faults.map((fault) => ({ column: columnName(fault, columns, sampled, language), code: fault.code })),
    duplicate_of,
    document_id: is_hidden ? null : document_id,
  };
}
