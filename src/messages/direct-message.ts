import type { DeliveryOutcome } from '../platform/delivery-outcome.ts';
import { madeAt } from '../platform/ids.ts';
import type { MailSender } from '../platform/mail.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { storedAddress } from './stored-address.ts';

/** Messages that have no row before they are sent: codes and links to recipients, and e-mails to members. */
export const directKinds = [
  'verification_code',
  'sign_in_link',
  'review_submitted',
  'review_returned',
  'schedule_failed',
  'bulk_send_stopped',
] as const;

export type DirectKind = (typeof directKinds)[number];

export interface DirectMessage {
  id: string;
  accountId: string;
  documentId: string;
  /** Null: to a member. */
  recipient: { id: string; holder: number } | null;
  kind: DirectKind;
  channel: 'email' | 'sms';
  address: string | null;
}

/** What an attempt to send an e-mail to a member about a document needs. */
export interface MemberMailDeps {
  world: World;
  mail: MailSender;
  /** The origin of links. */
  origin: string;
  isLastAttempt: boolean;
}

/** Records an attempt to send a message, for the message log. `isLast`: it is not tried again when this attempt failed. */
export async function recordDirectAttempt(
  world: World,
  db: Queryable,
  message: DirectMessage,
  outcome: DeliveryOutcome,
  isLast: boolean,
): Promise<void> {
  const failed = outcome.kind === 'refused' || isLast ? 'failed' : 'pending';
  const status = outcome.kind === 'accepted' ? 'accepted' : failed;
  const { id, accountId, documentId, recipient, kind, channel, address } = message;
  await db.query({
    name: 'record_direct_attempt',
    text: `insert into direct_messages (id, account_id, document_id, recipient_id, holder, kind, channel, address, status,
             attempts, last_error, provider_id, created_at, settled_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $11, $12, $13)
           on conflict (id) do update set status = excluded.status, attempts = direct_messages.attempts + 1,
             last_error = excluded.last_error, provider_id = excluded.provider_id, settled_at = excluded.settled_at`,
    values: [
      id,
      accountId,
      documentId,
      recipient?.id ?? null,
      recipient?.holder ?? null,
      kind,
      channel,
      storedAddress(channel, address),
      status,
      outcome.kind === 'accepted' ? null : outcome.reason,
      outcome.kind === 'accepted' ? outcome.providerId : null,
      madeAt(id),
      status === 'pending' ? null : world.clock.now(),
    ],
  });
}

/** Whether an attempt has sent the message whose process died before its job ended. */
export async function isDirectSent(db: Queryable, id: string): Promise<boolean> {
  const sent = await db.query({
    name: 'direct_message_is_sent',
    text: `select from direct_messages where id = $1 and status = 'accepted'`,
    values: [id],
  });
  return sent.length > 0;
}

/** Ends a message whose attempts have ended without an outcome. `reason`: if no attempt left one. */
export async function failDirect(world: World, db: Queryable, id: string, reason: string): Promise<void> {
  await db.query({
    name: 'fail_direct_message',
    text: `update direct_messages set status = 'failed', settled_at = $2, last_error = coalesce(last_error, $3)
           where id = $1 and status = 'pending'`,
    values: [id, world.clock.now(), reason],
  });
}

/** Ends a message that is no longer needed after an attempt failed. */
export async function cancelDirect(world: World, db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'cancel_direct_message',
    text: `update direct_messages set status = 'cancelled', settled_at = $2 where id = $1 and status = 'pending'`,
    values: [id, world.clock.now()],
  });
}
