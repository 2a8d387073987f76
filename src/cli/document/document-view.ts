import { type DocumentFile, readAttachment } from '../../documents/attachment.ts';
import type { Document } from '../../documents/document.ts';
import { listSignedFiles } from '../../documents/field-file.ts';
import { documentJson, recipientJson } from '../../documents/json.ts';
import { listRecipients } from '../../documents/queries.ts';
import { listMessages, type Message } from '../../messages/message.ts';
import type { Queryable } from '../../postgres/database.ts';
import { card, table } from '../core/terminal.ts';
import { showFields, viewsOf } from './document-fields.ts';

export type OperatorView = Awaited<ReturnType<typeof operatorView>>;

/** The Document as the API shows it, plus properties that only operators see. */
export async function operatorView(db: Queryable, document: Document) {
  const [recipients, attachment, messages] = await Promise.all([
    listRecipients(db, document.account_id, document.id),
    readAttachment(db, document.account_id, document.id),
    listMessages(db, document.account_id, document.id),
  ]);
  const names = new Map(recipients.map(({ id, display_name }) => [id, display_name]));
  return {
    ...documentJson(document),
    account_id: document.account_id,
    message: document.message,
    sign_order_mode: document.sign_order_mode,
    expires_in_days: document.expires_in_days,
    reminder_days: document.reminder_days,
    expiry_reminder_days: document.expiry_reminder_days,
    send_at: document.send_at,
    send_failure: document.send_failure,
    is_template: document.is_template,
    is_migrated: document.is_migrated,
    restricted_kind: document.restricted_kind,
    folder_id: document.folder_id,
    mirrors_document_id: document.mirrors_document_id,
    sent_mode: document.sent_mode,
    content_sha256: document.content_sha256?.toString('hex') ?? null,
    sealed_at: document.sealed_at,
    seal_error: sealError(document),
    file: attachment && fileJson(attachment.file),
    recipients: recipients.map(recipientJson),
    fields: viewsOf(attachment?.fields ?? [], document, names, await listSignedFiles(db, document)),
    deliveries: messages.map(deliveryJson),
  };
}

export function sealError({ seal_changed_page: page }: Document): string | null {
  if (page === null) return null;
  return `page ${page} of the attached PDF would look different once sealed: check the file, then use document seal`;
}

function fileJson({ sha256, bytes, name, page_count, is_signed, attached_at }: DocumentFile) {
  return { name, sha256: sha256.toString('hex'), bytes, page_count, is_signed, attached_at };
}

function deliveryJson(message: Message) {
  const { id, recipient_id, kind, channel, status, attempts, last_error, created_at, settled_at } = message;
  return { id, recipient_id, kind, channel, status, attempts, last_error, created_at, settled_at };
}

export function showDocument({ object, file, recipients, fields, deliveries, ...facts }: OperatorView): string {
  const rows = recipients.map(({ id, sign_order, status, channel, party_role, email, phone, display_name }) => {
    return { id, order: sign_order, status, channel, email, phone, role: party_role, name: display_name };
  });
  const messages = deliveries.map(({ recipient_id, kind, channel, status, attempts, last_error }) => {
    return { recipient_id, kind, channel, status, attempts, last_error };
  });
  return [
    card(facts),
    `\nFile\n${file === null ? 'none\n' : card(file)}`,
    `\nRecipients\n${table(rows, 'none')}`,
    ...(file === null ? [] : [`\nFields\n${showFields(fields)}`]),
    `\nDeliveries\n${table(messages, 'none')}`,
  ].join('');
}
