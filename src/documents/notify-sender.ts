import { type SenderNoticeKind, wantsNotice } from '../accounts/own-notices.ts';
import { type About, enqueueNotices } from '../messages/document-notice.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Document } from './document.ts';
import { findSendingMember } from './find-sender.ts';

/**
 * Enqueues a notice to the member who sent a document, in the transaction of the change. A document that an API key sent has no
 * such member: its client gets webhooks. Members can switch each notice off for themselves.
 */
export async function notifySender(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  kind: SenderNoticeKind,
  about: About | null = null,
): Promise<void> {
  const member = await findSendingMember(tx, document);
  if (member === null) return;
  const reader = { accountId: document.account_id, memberId: member.id };
  if (!(await wantsNotice(tx, reader, kind))) return;
  const sender = {
    recipientId: null,
    holder: null,
    channel: 'email',
    address: member.email,
    isInformed: true,
  } as const;
  await enqueueNotices(world, tx, queue, document, [sender], kind, about);
}
