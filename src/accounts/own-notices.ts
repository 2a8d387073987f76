import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { auditAccount } from './account-audit.ts';
import { type NoticeKind, noticeKinds } from './notice-kinds.ts';

/** A notice to the member who sent a document. */
export type SenderNoticeKind = NoticeKind & `sender_${string}`;

/** All notices to senders. Each member can switch each of them off for themselves, in each of their companies. */
export const senderNoticeKinds = noticeKinds.filter((kind): kind is SenderNoticeKind => kind.startsWith('sender_'));

/** Whose notices: a member of an account. */
export interface NoticeReader {
  accountId: string;
  memberId: string;
}

export interface OwnNotices {
  /** The notices that the member wants. */
  kinds: SenderNoticeKind[];
  /** Those of them that the company has switched off, so that nobody gets them. */
  off_for_company: SenderNoticeKind[];
}

/** Returns null when the member does not exist. */
export async function readOwnNotices(db: Queryable, { accountId, memberId }: NoticeReader): Promise<OwnNotices | null> {
  const [row] = await db.query<{ own: string[]; company: string[] }>({
    name: 'read_own_notices',
    text: `select m.notices_off as own, a.notices_off as company from members m join accounts a on a.id = m.account_id
           where m.account_id = $1 and m.id = $2 and a.removed_at is null`,
    values: [accountId, memberId],
  });
  if (row === undefined) return null;
  return {
    kinds: senderNoticeKinds.filter((kind) => !row.own.includes(kind)),
    off_for_company: senderNoticeKinds.filter((kind) => row.company.includes(kind)),
  };
}

/**
 * Sets which notices a member gets from now on, of those that the company sends. A notice that waits for the mail server is not
 * sent either. Returns null when the member does not exist. Audits changes only. `personId`: who changes it, null for an operator.
 */
export async function setOwnNotices(
  world: World,
  tx: Tx,
  { accountId, memberId }: NoticeReader,
  kinds: readonly SenderNoticeKind[],
  personId: string | null,
): Promise<OwnNotices | null> {
  const off = senderNoticeKinds.filter((kind) => !kinds.includes(kind));
  return change(world, tx, { accountId, memberId }, () => off, personId);
}

/** Switches one notice off for a member, whose link in an e-mail was used. Returns null when the member does not exist. */
export async function stopOwnNotice(
  world: World,
  tx: Tx,
  { accountId, memberId }: NoticeReader,
  kind: SenderNoticeKind,
): Promise<OwnNotices | null> {
  const [person] = await tx.query<{ id: string }>({
    name: 'find_person_of_member',
    text: `select p.id from members m join people p on p.canonical_email = m.canonical_email
           where m.account_id = $1 and m.id = $2`,
    values: [accountId, memberId],
  });
  const withKind = (off: readonly string[]) => senderNoticeKinds.filter((each) => each === kind || off.includes(each));
  return change(world, tx, { accountId, memberId }, withKind, person?.id ?? null, { by: 'link in an e-mail' });
}

async function change(
  world: World,
  tx: Tx,
  { accountId, memberId }: NoticeReader,
  next: (off: readonly string[]) => readonly SenderNoticeKind[],
  personId: string | null,
  more: Record<string, unknown> = {},
): Promise<OwnNotices | null> {
  const [member] = await tx.query<{ notices_off: string[]; email: string }>({
    name: 'lock_own_notices',
    text: 'select notices_off, email from members where account_id = $1 and id = $2 for no key update',
    values: [accountId, memberId],
  });
  if (member === undefined) return null;
  const off = next(member.notices_off);
  if (off.join() !== senderNoticeKinds.filter((kind) => member.notices_off.includes(kind)).join()) {
    await tx.query({
      name: 'set_own_notices',
      text: 'update members set notices_off = $3 where account_id = $1 and id = $2',
      values: [accountId, memberId, off],
    });
    const kinds = senderNoticeKinds.filter((kind) => !off.includes(kind));
    const detail = { member_id: memberId, email: member.email, kinds, ...more };
    await auditAccount(world, tx, { accountId, personId, action: 'own_notices_chosen', detail });
  }
  return readOwnNotices(tx, { accountId, memberId });
}

/**
 * Whether a member gets a notice that is about to be sent: they have not switched it off. What the company has switched off meanwhile
 * still goes out.
 */
export async function wantsNotice(db: Queryable, reader: NoticeReader, kind: SenderNoticeKind): Promise<boolean> {
  const own = await readOwnNotices(db, reader);
  return own?.kinds.includes(kind) === true;
}
