import type { Timestamp } from '../postgres/timestamp.ts';
import type { Document } from './document.ts';
import type { Recipient } from './recipient.ts';

/** The columns of a Document in the API. Lists and responses read no others. */
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

/** Makes a row from the values of `documentJsonColumns`, in the same order. */
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

/** Returns a Document as the API and webhooks show it. */
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
  const row = documentJsonRow(values);
  return { id: row.id, account_id: row.account_id, text: JSON.stringify(documentJson(row)) };
}

/** Returns a Recipient as the API shows it. It never includes a signing link or a secret. */
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
