import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { auditAccount } from './account-audit.ts';

/** All notices about a document, by whom they tell. A company can switch each of them off. */
export const noticeKinds = [
  'sender_completed',
  'sender_declined',
  'sender_bounced',
  'sender_delegated',
  'sender_commented',
  'recipient_voided',
  'recipient_declined',
  'recipient_expired',
  'recipient_reassigned',
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** Returns the notices that an account sends, in the order of `noticeKinds`. */
export async function readNoticeKinds(db: Queryable, accountId: string): Promise<NoticeKind[]> {
  const [row] = await db.query<{ notices_off: NoticeKind[] }>({
    name: 'read_notice_kinds',
    text: 'select notices_off from accounts where id = $1',
    values: [accountId],
  });
  return noticeKinds.filter((kind) => !row?.notices_off.includes(kind));
}

/**
 * Sets which notices an account sends from now on. Notices that wait for the mail server still go out. Returns null if the
 * account does not exist. `personId`: the person for the account's audit log, null for an operator.
 */
export async function setNoticeKinds(
  world: World,
  tx: Tx,
  accountId: string,
  kinds: readonly NoticeKind[],
  personId: string | null,
): Promise<NoticeKind[] | null> {
  const off = noticeKinds.filter((kind) => !kinds.includes(kind));
  const changed = await tx.query({
    name: 'set_notice_kinds',
    text: 'update accounts set notices_off = $2 where id = $1 returning 1',
    values: [accountId, off],
  });
  if (changed.length === 0) return null;
  const on = noticeKinds.filter((kind) => kinds.includes(kind));
  await auditAccount(world, tx, { accountId, personId, action: 'notices_chosen', detail: { kinds: on } });
  return on;
}
