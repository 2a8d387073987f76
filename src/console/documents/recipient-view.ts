import { awaitsSignature, type Document } from '../../documents/document.ts';
import { isDone, type Recipient, type RecipientKind, recipientKind } from '../../documents/recipient.ts';
import type { Message } from '../../messages/message.ts';

/** A recipient as the console's pages show it. The pages import these types. */
export interface RecipientView
  extends Pick<
    Recipient,
    | 'id'
    | 'email'
    | 'phone'
    | 'channel'
    | 'auth_level'
    | 'sign_order'
    | 'status'
    | 'sent_at'
    | 'viewed_at'
    | 'signed_at'
    | 'declined_at'
    | 'declined_reason'
  > {
  name: string;
  kind: RecipientKind;
  role: string | null;
  /** Delivery status of the last message to this recipient. */
  message: Message['status'] | null;
  actions: RecipientAction[];
}

export type RecipientAction = 'reassign' | 'in_person';

export function recipientView(document: Document, recipient: Recipient, messages: readonly Message[]): RecipientView {
  const message = messages.findLast(({ recipient_id }) => recipient_id === recipient.id);
  const isOpen = awaitsSignature(document.status) && !isDone(recipient);
  const isAsked = recipient.status === 'sent' || recipient.status === 'viewed';
  return {
    id: recipient.id,
    name: recipient.display_name,
    email: recipient.email,
    phone: recipient.phone,
    kind: recipientKind(recipient),
    role: recipient.party_role,
    channel: recipient.channel,
    auth_level: recipient.auth_level,
    sign_order: recipient.sign_order,
    status: recipient.status,
    sent_at: recipient.sent_at,
    viewed_at: recipient.viewed_at,
    signed_at: recipient.signed_at,
    declined_at: recipient.declined_at,
    declined_reason: recipient.declined_reason,
    message: message?.status ?? null,
    actions: [
      ...(isOpen && isAsked && recipient.channel === 'in_person' ? ['in_person' as const] : []),
      ...(isOpen ? ['reassign' as const] : []),
    ],
  };
}
