import type { Document } from '../documents/document.ts';
import { documentJson, recipientJson } from '../documents/json.ts';
import { listMessages, type Message } from '../documents/message-queries.ts';
import { listRecipients } from '../documents/queries.ts';
import type { Queryable } from '../postgres/database.ts';
import { card, table } from './terminal.ts';

export type OperatorView = Awaited<ReturnType<typeof operatorView>>;

/** The Document as the API shows it, and what only operators see. */
export async function operatorView(db: Queryable, document: Document) {
  const [recipients, messages] = await Promise.all([
    listRecipients(db, document.account_id, document.id),
    listMessages(db, document.account_id, document.id),
  ]);
  return {
    ...documentJson(document),
    account_id: document.account_id,
    message: document.message,
    sign_order_mode: document.sign_order_mode,
    expires_in_days: document.expires_in_days,
    is_template: document.is_template,
    restricted_kind: document.restricted_kind,
    mirrors_document_id: document.mirrors_document_id,
    sent_mode: document.sent_mode,
    content_sha256: document.content_sha256?.toString('hex') ?? null,
    sealed_at: document.sealed_at,
    recipients: recipients.map(recipientJson),
    deliveries: messages.map(deliveryJson),
  };
}

function deliveryJson(message: Message) {
  const { id, recipient_id, kind, channel, status, attempts, last_error, created_at, settled_at } = message;
  return { id, recipient_id, kind, channel, status, attempts, last_error, created_at, settled_at };
}

export function showDocument({ object, recipients, deliveries, ...fields }: OperatorView): string {
  const parties = recipients.map(({ id, sign_order, status, channel, party_role, email, phone, display_name }) => {
    return { id, order: sign_order, status, channel, email, phone, role: party_role, name: display_name };
  });
  const messages = deliveries.map(({ recipient_id, kind, channel, status, attempts, last_error }) => {
    return { recipient_id, kind, channel, status, attempts, last_error };
  });
  return [card(fields), `\nRecipients\n${table(parties, 'none')}`, `\nDeliveries\n${table(messages, 'none')}`].join('');
}
