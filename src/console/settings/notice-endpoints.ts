import { Type } from 'typebox';
import { type NoticeKind, noticeKinds, readNoticeKinds, setNoticeKinds } from '../../accounts/notice-kinds.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';

const kinds = Type.Array(Type.Enum([...noticeKinds]), { maxItems: noticeKinds.length, uniqueItems: true });

/** Which notices about its documents a company sends. */
export const noticeEndpoints = [
  forMembers('GET /notices', 'admin', {}, async ({ db }, { caller }) => {
    return { kinds: await readNoticeKinds(db, caller.membership.account_id) };
  }),
  forMembers('POST /notices', 'admin', { body: Type.Object({ kinds }) }, chooseNotices),
];

async function chooseNotices({ world, db }: ConsoleDeps, { caller, body }: MemberCall<{ kinds: NoticeKind[] }>) {
  const accountId = caller.membership.account_id;
  return db.transaction(async (tx) => {
    const chosen = await setNoticeKinds(world, tx, accountId, body.kinds, caller.person.id);
    if (chosen === null) throw new ConsoleError('not_found');
    return { kinds: chosen };
  });
}
