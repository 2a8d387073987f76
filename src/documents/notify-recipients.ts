import type { NoticeKind } from '../accounts/notice-kinds.ts';
import { enqueueNotices } from '../messages/document-notice.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Document } from './document.ts';
import type { Recipient } from './recipient.ts';

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
