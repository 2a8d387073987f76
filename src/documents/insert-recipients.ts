import type { Recipient } from './recipient.ts';

/** The columns that a sender sets for a recipient, with their types. Whatever inserts recipients uses this list. */
const columnTypes = {
  display_name: 'text',
  email: 'text',
  phone: 'text',
  party_role: 'text',
  channel: 'text',
  sign_order: 'int',
  auth_level: 'text',
} as const satisfies Partial<Record<keyof Recipient, string>>;

type Column = keyof typeof columnTypes;
export type RecipientValues = Pick<Recipient, Column>;

const columns = Object.keys(columnTypes) as Column[];

/** The names of the columns, for an `unnest` or a recordset. */
export const recipientColumns = columns.join(', ');

/** The same with their types, for `jsonb_to_recordset`. */
export const recipientColumnsTyped = columns.map((column) => `${column} ${columnTypes[column]}`).join(', ');

/** Array parameters for `unnest`, one for each column: `$14::text[], …`. `first`: the number of the first. */
export function recipientParameters(first: number): string {
  return columns.map((column, index) => `$${first + index}::${columnTypes[column]}[]`).join(', ');
}

/** The values of these parameters. */
export function recipientArrays(recipients: readonly RecipientValues[]): unknown[][] {
  return columns.map((column) => recipients.map((recipient) => recipient[column]));
}

/**
 * Returns a statement that inserts recipients. `source`: rows `r` with id, account_id, document_id, position and the
 * columns above. `progress`: the columns that tell what a recipient has done, with their values.
 */
export function insertRecipients(source: string, progress: Record<string, string> = { status: `'pending'` }): string {
  return `insert into recipients (id, account_id, document_id, position, ${recipientColumns}, ${Object.keys(progress)})
    select r.id, r.account_id, r.document_id, r.position, ${columns.map((column) => `r.${column}`)},
      ${Object.values(progress)}
    from ${source}`;
}

/** The columns to overwrite where a recipient exists already. */
export const updatedRecipientColumns = ['position', ...columns]
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');
