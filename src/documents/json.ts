import { type Static, Type } from 'typebox';
import { documentTypes } from '../document-types.ts';
import { type Document, documentStatuses } from './document.ts';
import { authLevels, channels, type Recipient } from './recipient.ts';

const nullable = (more: { format?: string; description?: string } = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...more });
const nullableTime = (description?: string) =>
  nullable({ format: 'date-time', ...(description === undefined ? {} : { description }) });
const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] });
const uuid = Type.String({ format: 'uuid' });
const dateTime = Type.String({ format: 'date-time' });

/** The Document of the API. Its columns, answers and events, and the OpenAPI description, follow from this one list. */
export const documentSchema = Type.Object({
  object: Type.Literal('document'),
  id: uuid,
  type: oneOf(documentTypes),
  status: oneOf(documentStatuses),
  title: Type.String(),
  description: nullable(),
  primary_language: oneOf(['en', 'es']),
  secondary_language: nullable(),
  recipient_count: Type.Integer({ minimum: 0 }),
  sent_at: nullableTime(),
  completed_at: nullableTime('Set when every signer has signed and every approver has approved.'),
  voided_at: nullableTime(),
  voided_reason: nullable(),
  expires_at: nullableTime(
    'null until sent, then sent_at plus content.expires_in_days; without expires_in_days it stays null.',
  ),
  created_at: dateTime,
  updated_at: dateTime,
});

/** The Recipient of the API. It never includes a signing link or a secret. */
export const recipientSchema = Type.Object({
  object: Type.Literal('recipient'),
  id: uuid,
  document_id: uuid,
  display_name: Type.String(),
  email: nullable(),
  phone: nullable(),
  party_role: nullable(),
  channel: oneOf(channels),
  sign_order: Type.Integer({ minimum: 1 }),
  auth_level: oneOf(authLevels),
  status: Type.Unsafe<string>({
    type: 'string',
    enum: ['pending', 'sent', 'viewed', 'signed', 'declined'],
    description: 'pending: its turn has not come. A cc goes from pending to sent when the completed copy goes out.',
  }),
  sent_at: nullableTime("When this recipient's request left."),
  viewed_at: nullableTime(),
  signed_at: nullableTime('For an approver, the time of approval.'),
  declined_at: nullableTime(),
  declined_reason: nullable(),
});

export type DocumentJson = Static<typeof documentSchema>;
type RecipientJson = Static<typeof recipientSchema>;
type ShownColumn = Exclude<keyof DocumentJson, 'object'>;
export type DocumentJsonRow = Pick<Document, ShownColumn | 'account_id'>;

const shownColumns = columnsOf(documentSchema) as ShownColumn[];
const recipientColumns = columnsOf(recipientSchema) as Exclude<keyof RecipientJson, 'object'>[];

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

function columnsOf(schema: { properties: object }): string[] {
  return Object.keys(schema.properties).filter((name) => name !== 'object');
}

function pick<Row extends object, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> {
  const picked: Partial<Row> = {};
  for (const key of keys) picked[key] = row[key];
  return picked as Pick<Row, Key>;
}
