import type { NoticeKind } from '../accounts/notice-kinds.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { JobQueue } from './job-queue.ts';

/** One row of `notices`: an e-mail to the sender of a document about what became of it, and the state of its delivery. */
export interface DocumentNotice {
  id: string;
  account_id: string;
  document_id: string;
  kind: NoticeKind;
  status: 'pending' | 'accepted' | 'failed' | 'cancelled';
}

/**
 * Stores a notice to the sender and enqueues its delivery, in the transaction of the change. Does nothing for a test document,
 * when the account was removed or has switched the notice off, and when the sender was notified before.
 */
export async function enqueueSenderNotice(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: { id: string; account_id: string; sent_mode: 'live' | 'test' | null },
  kind: NoticeKind,
): Promise<void> {
  if (document.sent_mode !== 'live') return;
  const { account_id: accountId } = document;
  const stored = await tx.query<{ id: string }>({
    name: 'enqueue_sender_notice',
    text: `insert into notices (id, account_id, document_id, kind, channel, status, created_at)
           select $3, a.id, $2, $4, 'email', 'pending', $5 from accounts a
           where a.id = $1 and a.removed_at is null and not $4 = any (a.notices_off)
           on conflict do nothing returning id`,
    values: [accountId, document.id, world.newId(), kind, world.clock.now()],
  });
  if (stored.length === 0) return;
  await queue.enqueue(
    tx,
    stored.map(({ id }) => ({ name: 'deliver-notice', accountId, noticeId: id })),
  );
}

export async function findNotice(db: Queryable, accountId: string, id: string): Promise<DocumentNotice | null> {
  const rows = await db.query<DocumentNotice>({
    name: 'find_notice',
    text: 'select id, account_id, document_id, kind, status from notices where account_id = $1 and id = $2',
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

export async function recordFailedNoticeAttempt(db: Queryable, notice: DocumentNotice, reason: string): Promise<void> {
  await db.query({
    name: 'record_failed_notice_attempt',
    text: `update notices set attempts = attempts + 1, last_error = $3
           where account_id = $1 and id = $2 and status = 'pending'`,
    values: [notice.account_id, notice.id, reason],
  });
}

/** Records the end of a pending notice, and removes the address that only this delivery needed. */
export async function settleNotice(
  db: Queryable,
  notice: DocumentNotice,
  outcome: { status: 'accepted' | 'failed' | 'cancelled'; providerId?: string | null; error?: string | null },
  now: Date,
): Promise<void> {
  await db.query({
    name: 'settle_notice',
    text: `update notices set status = $3, provider_id = $4, last_error = $5, settled_at = $6,
             attempts = attempts + case when $3 = 'cancelled' then 0 else 1 end, former_name = null, former_address = null
           where account_id = $1 and id = $2 and status = 'pending'`,
    values: [notice.account_id, notice.id, outcome.status, outcome.providerId ?? null, outcome.error ?? null, now],
  });
}
