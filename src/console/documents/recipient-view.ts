import { awaitsSignature, type Document } from '../../documents/document.ts';
import { isDone, type Recipient, type RecipientKind, recipientKind } from '../../documents/recipient.ts';
import type { MessageDelivery } from '../../message-log/message-json.ts';

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
  /** What became of the last message to this recipient. Null: none was sent. */
  delivery: MessageDelivery | null;
  actions: RecipientAction[];
}

export type RecipientAction = 'reassign' | 'in_person' | 'remind';

export function recipientView(
  document: Document,
  recipient: Recipient,
  delivery: MessageDelivery | null,
): RecipientView {
  const isOpen = awaitsSignature(document.status) && !isDone(recipient);
  const isLost = delivery?.state === 'failed' || delivery?.state === 'bounced';
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
    delivery,
    actions: [
      ...(isOpen && isAsked && recipient.channel === 'in_person' ? ['in_person' as const] : []),
      ...(isOpen && isAsked && isLost ? ['remind' as const] : []),
      ...(isOpen ? ['reassign' as const] : []),
    ],
  };
}
