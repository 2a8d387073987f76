import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Job, JobQueue } from './job-queue.ts';
import { storedAddress } from './stored-address.ts';

export const messageKinds = ['signature_request', 'reminder', 'completed_copy'] as const;

export type MessageKind = (typeof messageKinds)[number];

interface Sent {
  id: string;
  account_id: string;
  sent_mode: 'live' | 'test' | null;
}

interface Addressee {
  id: string;
  /** Counts the people that the recipient was reassigned to. */
  holder: number;
  channel: 'email' | 'sms' | 'in_person';
  email: string | null;
  phone: string | null;
}

/**
 * Stores a pending message for each recipient and enqueues its delivery. Skips documents sent with a test key, and
 * recipients who sign in person. `steps`: for each recipient the number of the scheduled reminder, null for a reminder sent
 * by hand, 0 by default.
 */
export async function enqueueMessages(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Sent,
  recipients: readonly Addressee[],
  kind: MessageKind,
  steps: ReadonlyArray<number | null> = recipients.map(() => 0),
): Promise<void> {
  const reachable = reachableRecipients(document, recipients);
  if (reachable.length === 0) return;
  const ids = reachable.map(() => world.newId());
  await Promise.all([
    tx.query({
      name: 'enqueue_messages',
      text: `insert into messages (id, account_id, document_id, recipient_id, holder, kind, channel, step, address, status, created_at)
             select m.id, $1, $2, m.recipient_id, m.holder, $3, m.channel, m.step, m.address, 'pending', $4
             from unnest($5::uuid[], $6::uuid[], $7::smallint[], $8::text[], $9::int[], $10::text[])
               as m (id, recipient_id, holder, channel, step, address)`,
      values: [
        document.account_id,
        document.id,
        kind,
        world.clock.now(),
        ids,
        reachable.map((recipient) => recipient.id),
        reachable.map((recipient) => recipient.holder),
        reachable.map((recipient) => recipient.channel),
        reachable.map((recipient) => steps[recipients.indexOf(recipient)]),
        reachable.map(addressOf),
      ],
    }),
    queue.enqueue(
      tx,
      reachable.map(({ channel }, index): Job => {
        const job = { accountId: document.account_id, messageId: ids[index] ?? '' };
        return channel === 'sms' ? { name: 'deliver-sms', ...job } : { name: 'deliver-message', ...job };
      }),
    ),
  ]);
}

function addressOf({ channel, email, phone }: Addressee): string | null {
  return channel === 'sms' ? storedAddress('sms', phone) : storedAddress('email', email);
}

/** Returns the recipients who get messages: none for a test document, and nobody who signs in person. */
export function reachableRecipients<Recipient extends Pick<Addressee, 'channel'>>(
  document: Pick<Sent, 'sent_mode'>,
  recipients: readonly Recipient[],
): Recipient[] {
  if (document.sent_mode !== 'live') return [];
  return recipients.filter((recipient) => recipient.channel !== 'in_person');
}

/**
 * Cancels the pending messages of a document that was voided, declined or expired. The delivery jobs stay in the queue and find
 * nothing to do.
 */
export async function cancelMessages(world: World, tx: Tx, document: Pick<Sent, 'id' | 'account_id'>): Promise<void> {
  await tx.query({
    name: 'cancel_messages',
    text: `update messages set status = 'cancelled', settled_at = $3
           where account_id = $1 and document_id = $2 and status = 'pending'`,
    values: [document.account_id, document.id, world.clock.now()],
  });
}

/** Cancels the pending messages to a recipient who has just signed, approved or declined. */
export async function cancelMessagesTo(
  world: World,
  tx: Tx,
  { account_id, document_id, id }: { account_id: string; document_id: string; id: string },
): Promise<void> {
  await tx.query({
    name: 'cancel_messages_to',
    text: `update messages set status = 'cancelled', settled_at = $2
           where account_id = $1 and document_id = $3 and recipient_id = $4 and status = 'pending'
             and kind <> 'completed_copy'`,
    values: [account_id, world.clock.now(), document_id, id],
  });
}
