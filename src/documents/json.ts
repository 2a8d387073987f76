import type { Timestamp } from '../postgres/timestamp.ts';
import type { Document } from './document.ts';
import type { Recipient } from './recipient.ts';

/** The columns a Document of the API is made of: every list and answer reads these, no more. */
export const documentJsonColumns = [
  'id',
  'account_id',
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

export type DocumentJsonRow = Pick<Document, (typeof documentJsonColumns)[number]>;

/** A row of the values of these columns, in their order. */
export function documentJsonRow(values: readonly unknown[]): DocumentJsonRow {
  const [
    id,
    account_id,
    type,
    status,
    title,
    description,
    primary_language,
    secondary_language,
    recipient_count,
    sent_at,
    completed_at,
    voided_at,
    voided_reason,
    expires_at,
    created_at,
    updated_at,
  ] = values as ValuesOf<typeof documentJsonColumns>;
  return {
    id,
    account_id,
    type,
    status,
    title,
    description,
    primary_language,
    secondary_language,
    recipient_count,
    sent_at,
    completed_at,
    voided_at,
    voided_reason,
    expires_at,
    created_at,
    updated_at,
  };
}

type ValuesOf<Columns extends readonly (keyof Document)[]> = { [N in keyof Columns]: Document[Columns[N]] };

export interface DocumentJson {
  object: 'document';
  id: string;
  type: string;
  status: string;
  title: string;
  description: string | null;
  primary_language: string;
  secondary_language: string | null;
  recipient_count: number;
  sent_at: Timestamp | null;
  completed_at: Timestamp | null;
  voided_at: Timestamp | null;
  voided_reason: string | null;
  expires_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A Document as the API and the webhooks show it (spec.md, Document). */
export function documentJson(row: DocumentJsonRow): DocumentJson {
  return {
    object: 'document',
    id: row.id,
    type: row.type,
    status: row.status,
    title: row.title,
    description: row.description,
    primary_language: row.primary_language,
    secondary_language: row.secondary_language,
    recipient_count: row.recipient_count,
    sent_at: row.sent_at,
    completed_at: row.completed_at,
    voided_at: row.voided_at,
    voided_reason: row.voided_reason,
    expires_at: row.expires_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A Document of a list, as JSON text. */
export interface DocumentText {
  id: string;
  account_id: string;
  text: string;
}

/**
 * Of the values of `documentJsonColumns`. A list becomes text row by row, as the rows come: kept as objects with their
 * strings until the whole page is answered, what a busy process reads outlives a collection of the young generation, and
 * copying it costs more than making it.
 */
export function documentText(values: readonly unknown[]): DocumentText {
  const row = documentJsonRow(values);
  return { id: row.id, account_id: row.account_id, text: JSON.stringify(documentJson(row)) };
}

/** A Recipient as the API shows it: never a signing link or what authenticates it. */
export function recipientJson(row: Recipient) {
  return {
    object: 'recipient' as const,
    id: row.id,
    document_id: row.document_id,
    display_name: row.display_name,
    email: row.email,
    phone: row.phone,
    party_role: row.party_role,
    channel: row.channel,
    sign_order: row.sign_order,
    auth_level: row.auth_level,
    status: row.status,
    sent_at: row.sent_at,
    viewed_at: row.viewed_at,
    signed_at: row.signed_at,
    declined_at: row.declined_at,
    declined_reason: row.declined_reason,
  };
}
