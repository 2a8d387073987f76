import type { Document } from './document.ts';
import type { Recipient } from './recipient.ts';

// Commands load this file, so it does without the schemas, which take longer to load than most commands run.

/** The columns that the API shows, in the order of its answers. `json-schemas.ts` describes each. */
const shownColumns = [
  'id',
  'type',
  'status',
  'title',
  'description',
  'primary_language',
  'secondary_language',
  'recipient_count',
  'sent_at',
  'completed_at',
  'voided_at',
  'voided_reason',
  'expires_at',
  'created_at',
  'updated_at',
] as const;
const recipientColumns = [
  'id',
  'document_id',
  'display_name',
  'email',
  'phone',
  'party_role',
  'channel',
  'sign_order',
  'auth_level',
  'status',
  'sent_at',
  'viewed_at',
  'signed_at',
  'declined_at',
  'declined_reason',
] as const;

type ShownColumn = (typeof shownColumns)[number];
export type DocumentJson = { object: 'document' } & Pick<Document, ShownColumn>;
export type RecipientJson = { object: 'recipient' } & Pick<Recipient, (typeof recipientColumns)[number]>;
export type DocumentJsonRow = Pick<Document, ShownColumn | 'account_id'>;

/** A copy of it is filled faster than an object without properties. */
const emptyRow: Record<string, unknown> = Object.fromEntries(
  ['account_id', ...shownColumns].map((column) => [column, null]),
);

/** What stands before each value in the JSON text of a Document. */
const jsonNames = shownColumns.map((column) => `,"${column}":`);

/** The columns of a Document in the API. Lists and responses read no others. */
export const documentJsonColumns: readonly (keyof DocumentJsonRow)[] = ['account_id', ...shownColumns];

/** Makes a row from the values of `documentJsonColumns`, in the same order. */
export function documentJsonRow(values: readonly unknown[]): DocumentJsonRow {
  const row = { ...emptyRow };
  for (let i = 0; i < documentJsonColumns.length; i += 1) row[documentJsonColumns[i] as string] = values[i];
  return row as unknown as DocumentJsonRow;
}

/** Returns a Document as the API and webhooks show it. */
export function documentJson(row: DocumentJsonRow): DocumentJson {
  return { object: 'document', ...pick(row, shownColumns) };
}

/** Returns a Recipient as the API shows it. */
export function recipientJson(row: Recipient): RecipientJson {
  return { object: 'recipient', ...pick(row, recipientColumns) };
}

/** A Document in a list, as JSON text. */
export interface DocumentText {
  id: string;
  account_id: string;
  text: string;
}

/**
 * Turns the values of `documentJsonColumns` into JSON text. Lists call it for each row as it arrives. Objects held until
 * the whole page is read would survive a minor garbage collection in a busy process, and copying them costs more than
 * creating the text.
 */
export function documentText(values: readonly unknown[]): DocumentText {
  let text = '{"object":"document"';
  for (let i = 0; i < shownColumns.length; i += 1) text += `${jsonNames[i]}${JSON.stringify(values[i + 1])}`;
  return { account_id: values[0] as string, id: values[1] as string, text: `${text}}` };
}

function pick<Row extends object, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> {
  const picked: Partial<Row> = {};
  for (const key of keys) picked[key] = row[key];
  return picked as Pick<Row, Key>;
}
