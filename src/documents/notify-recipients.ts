import type { NoticeKind } from '../accounts/notice-kinds.ts';
import { enqueueNotices } from '../messages/document-notice.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Document } from './document.ts';
import { listRecipients } from './queries.ts';
import type { Recipient } from './recipient.ts';
import { isSamePerson } from './same-person.ts';

type Kind = NoticeKind & `recipient_${string}`;

/**
 * Enqueues a notice to the recipients who know of a document, in the transaction that ends it: to those whom a message has
 * reached or who have opened it, also after they signed. Leaves out the one who declined, and people who sign in person.
 */
export async function notifyRecipients(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  recipients: readonly Recipient[],
  kind: Kind,
): Promise<void> {
  // The vendor told the recipients of imported documents.
  if (document.is_migrated) return;
  const addressees = recipients.flatMap(({ id, holder, channel, email, phone, status }) => {
    if (channel === 'in_person' || status === 'pending' || status === 'declined') return [];
    const address = channel === 'sms' ? phone : email;
    return [{ recipientId: id, holder, channel, address, isInformed: status !== 'sent' }];
  });
  await enqueueNotices(world, tx, queue, document, addressees, kind);
}

/** Enqueues a notice to the person that a recipient was before a reassignment, if they know of the document. */
export async function notifyFormer(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  former: Recipient,
): Promise<void> {
  const { id, holder, channel, status, display_name: name } = former;
  if (channel === 'in_person' || status === 'pending') return;
  const address = channel === 'sms' ? former.phone : former.email;
  if (address === null) return;
  const isInformed = status !== 'sent';
  const addressee = { recipientId: id, holder, channel, address, isInformed, former: { name, address } };
  await enqueueNotices(world, tx, queue, document, [addressee], 'recipient_reassigned');
}

/** The notice to those who are asked when a document ends without being completed. */
const endings: Partial<Record<Document['status'], Kind>> = {
  voided: 'recipient_voided',
  declined: 'recipient_declined',
  expired: 'recipient_expired',
};

/**
 * Enqueues the notice that a person missed because a message was still on its way when the document ended or the recipient was
 * reassigned. `reached`: the recipient to whom the message was sent.
 */
export async function notifyReachedLate(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  reached: Recipient,
): Promise<void> {
  const recipients = await listRecipients(tx, document.account_id, document.id);
  const recipient = recipients.find(({ id }) => id === reached.id);
  const kind = endings[document.status];
  if (recipient === undefined) return;
  if (recipient.holder !== reached.holder) {
    if (!isSamePerson(reached, recipient)) await notifyFormer(world, tx, queue, document, reached);
  } else if (kind !== undefined) {
    await notifyRecipients(world, tx, queue, document, [recipient], kind);
  }
}
