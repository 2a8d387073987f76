import type { NoticeKind } from '../accounts/notice-kinds.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Job, JobQueue } from './job-queue.ts';
import { storedAddress } from './stored-address.ts';

/** One row of `notices`: a message about what became of a document, and the state of its delivery. */
export interface DocumentNotice {
  id: string;
  account_id: string;
  document_id: string;
  /** Null: to the sender. */
  recipient_id: string | null;
  /** The `holder` of the recipient when the notice was enqueued. */
  holder: number | null;
  kind: NoticeKind;
  channel: 'email' | 'sms';
  /** The person before a reassignment. Null for others, and once the notice is settled. */
  former_name: string | null;
  former_address: string | null;
  /** For `sender_bounced`: the message that bounced. */
  about_message: string | null;
  /** For `sender_delegated`: the recipient, and which of its people named someone else. */
  about_recipient: string | null;
  about_holder: number | null;
  /** For `sender_commented`: the comment. */
  about_comment: string | null;
  status: 'pending' | 'accepted' | 'failed' | 'cancelled';
  last_error: string | null;
}

/** What a notice to the sender is about, if it can be written several times for a document. */
export type About = { message: string } | { recipient: string; holder: number } | { comment: string };

export interface Addressee {
  /** Null: the sender. */
  recipientId: string | null;
  holder: number | null;
  channel: 'email' | 'sms';
  /** The e-mail address or phone number. */
  address: string | null;
  /** Whether they know of the document. Others get a notice only if a message about it has reached them. */
  isInformed: boolean;
  /** The person before a reassignment, with their e-mail address or phone number. */
  former?: { name: string; address: string } | undefined;
}

/**
 * Stores a notice for each addressee and enqueues its delivery, in the transaction of the change. Does nothing for a test
 * document, when the account was removed or has switched the notice off, and for people who were notified before.
 */
export async function enqueueNotices(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: { id: string; account_id: string; sent_mode: 'live' | 'test' | null },
  addressees: readonly Addressee[],
  kind: NoticeKind,
  about: About | null = null,
): Promise<void> {
  if (document.sent_mode !== 'live' || addressees.length === 0) return;
  const { account_id: accountId } = document;
  const stored = await tx.query<Pick<DocumentNotice, 'id' | 'channel'>>({
    name: 'enqueue_notices',
    text: `insert into notices (id, account_id, document_id, kind, status, created_at, recipient_id, holder, channel,
             former_name, former_address, address, about_message, about_recipient, about_holder, about_comment)
           select n.id, a.id, $2, $3, 'pending', $4, n.recipient_id, n.holder, n.channel, n.former_name, n.former_address, n.address,
             $13::uuid, $14::uuid, $15::smallint, $16::uuid
           from accounts a cross join unnest($5::uuid[], $6::uuid[], $7::smallint[], $8::text[], $9::boolean[],
             $10::text[], $11::text[], $12::text[])
             as n (id, recipient_id, holder, channel, is_informed, former_name, former_address, address)
           where a.id = $1 and a.removed_at is null and not $3 = any (a.notices_off)
             and (n.is_informed or exists (
               select from messages m where m.account_id = $1 and m.document_id = $2
                 and m.recipient_id = n.recipient_id and m.holder = n.holder and m.status = 'accepted'))
           on conflict do nothing returning id, channel`,
    values: [
      accountId,
      document.id,
      kind,
      world.clock.now(),
      addressees.map(() => world.newId()),
      addressees.map(({ recipientId }) => recipientId),
      addressees.map(({ holder }) => holder),
      addressees.map(({ channel }) => channel),
      addressees.map(({ isInformed }) => isInformed),
      addressees.map(({ former }) => former?.name ?? null),
      addressees.map(({ former }) => former?.address ?? null),
      addressees.map(({ channel, address }) => storedAddress(channel, address)),
      about && 'message' in about ? about.message : null,
      about && 'recipient' in about ? about.recipient : null,
      about && 'recipient' in about ? about.holder : null,
      about && 'comment' in about ? about.comment : null,
    ],
  });
  if (stored.length === 0) return;
  await queue.enqueue(
    tx,
    stored.map(
      ({ id: noticeId, channel }): Job =>
        channel === 'sms'
          ? { name: 'deliver-sms', accountId, noticeId }
          : { name: 'deliver-notice', accountId, noticeId },
    ),
  );
}

export async function findNotice(db: Queryable, accountId: string, id: string): Promise<DocumentNotice | null> {
  const rows = await db.query<DocumentNotice>({
    name: 'find_notice',
    text: `select id, account_id, document_id, recipient_id, holder, kind, channel, former_name, former_address,
             about_message, about_recipient, about_holder, about_comment, status, last_error
           from notices where account_id = $1 and id = $2`,
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
