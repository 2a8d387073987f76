import { awaitsSignature, type Document } from '../../documents/document.ts';
import { isDone, type Recipient, type RecipientKind, recipientKind } from '../../documents/recipient.ts';
import type { MessageDelivery } from '../../message-log/message-json.ts';
import { isSameEmail } from '../../platform/canonical-email.ts';

/** A recipient as the console's pages show it. The pages import these types. */
export interface RecipientView
  extends Pick<
    Recipient,
    | 'id'
    | 'holder'
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

/** `sign`: the member is this recipient, and it is their turn. */
export type RecipientAction = 'reassign' | 'in_person' | 'remind' | 'sign';

export function recipientView(
  document: Document,
  recipient: Recipient,
  delivery: MessageDelivery | null,
  memberEmail: string | null,
): RecipientView {
  return {
    id: recipient.id,
    holder: recipient.holder,
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
    actions: recipientActions(document, recipient, memberEmail, delivery),
  };
}

/** Lists what a member can do with a recipient. `memberEmail`: the member's proven address, or null. */
export function recipientActions(
  document: Document,
  recipient: Recipient,
  memberEmail: string | null,
  delivery: MessageDelivery | null = null,
): RecipientAction[] {
  if (!awaitsSignature(document.status) || isDone(recipient)) return [];
  const isAsked = recipient.status === 'sent' || recipient.status === 'viewed';
  const isSelf = memberEmail !== null && recipient.email !== null && isSameEmail(memberEmail, recipient.email);
  const isLost = delivery?.state === 'failed' || delivery?.state === 'bounced';
  const can: Record<RecipientAction, boolean> = {
    sign: isAsked && isSelf && recipient.channel === 'email' && recipientKind(recipient) !== 'cc',
    in_person: isAsked && recipient.channel === 'in_person',
    remind: isAsked && isLost,
    reassign: true,
  };
  return (Object.keys(can) as RecipientAction[]).filter((action) => can[action]);
}
