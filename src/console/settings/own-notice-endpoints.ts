import { Type } from 'typebox';
import {
  type NoticeReader,
  readOwnNotices,
  type SenderNoticeKind,
  senderNoticeKinds,
  setOwnNotices,
} from '../../accounts/own-notices.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';

const kinds = Type.Array(Type.Enum([...senderNoticeKinds]), { maxItems: senderNoticeKinds.length, uniqueItems: true });

/** Which notices about the documents that they sent a member gets, of those that the company sends. */
export const ownNoticeEndpoints = [
  forMembers('GET /own-notices', 'member', {}, async ({ db }, call) => {
    const own = await readOwnNotices(db, readerOf(call));
    if (own === null) throw new ConsoleError('not_found');
    return own;
  }),
  forMembers('POST /own-notices', 'member', { body: Type.Object({ kinds }) }, choose),
];

function readerOf({ caller }: Pick<MemberCall, 'caller'>): NoticeReader {
  return { accountId: caller.membership.account_id, memberId: caller.membership.member_id };
}

async function choose({ world, db }: ConsoleDeps, call: MemberCall<{ kinds: SenderNoticeKind[] }>) {
  return db.transaction(async (tx) => {
    const own = await setOwnNotices(world, tx, readerOf(call), call.body.kinds, call.caller.person.id);
    if (own === null) throw new ConsoleError('not_found');
    return own;
  });
}
