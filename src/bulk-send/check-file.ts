import { assertSendable, type Document } from '../documents/document.ts';
import type { Field } from '../documents/field.ts';
import { needsEmail, needsPhone, type Recipient } from '../documents/recipient.ts';
import { type CheckedRow, checkRows } from './check-rows.ts';
import { type FoundColumns, findColumns, templateColumns } from './columns.ts';
import { type CsvFault, readCsv } from './read-csv.ts';

/** What a file is: rows to send, no table at all, or a table without the columns of the template. */
export type CheckedFile =
  | { kind: 'checked'; columns: string[]; targets: string[]; rows: CheckedRow[] }
  | { kind: 'unreadable'; fault: CsvFault; row: number | null }
  | { kind: 'wrong_columns'; faults: FoundColumns['faults'] };

/** Checks a CSV file of at most `csvBytesMax` against a template. Nothing is stored. */
export async function checkFile(
  document: Document,
  recipients: readonly Recipient[],
  bytes: Uint8Array,
  fields: readonly Field[] = [],
): Promise<CheckedFile> {
  const table = await readCsv(bytes);
  if (!table.ok) return { kind: 'unreadable', fault: table.fault, row: table.row ?? null };
  const { targets, faults } = findColumns(table.header, templateColumns(recipients, fields));
  if (faults.length > 0) return { kind: 'wrong_columns', faults };
  const rows = await checkRows({ document, recipients, fields }, targets, table.rows);
  return { kind: 'checked', columns: table.header, targets, rows };
}

/** Throws the codes of `assertSendable` if no row of a template could be sent, whatever its contact details. */
export function assertBulkSendable(template: Document, recipients: readonly Recipient[]): void {
  const filledIn = recipients.map((recipient) => ({
    ...recipient,
    email: recipient.email ?? (needsEmail(recipient) ? '-' : null),
    phone: recipient.phone ?? (needsPhone(recipient) ? '-' : null),
  }));
  assertSendable(template, filledIn, null);
}
