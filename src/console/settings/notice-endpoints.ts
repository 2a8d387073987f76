import { Type } from 'typebox';
import { type NoticeKind, noticeKinds, readNoticeKinds, setNoticeKinds } from '../../accounts/notice-kinds.ts';
import { assertUnchanged } from '../core/assert-unchanged.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';

const kinds = Type.Array(Type.Enum([...noticeKinds]), { maxItems: noticeKinds.length, uniqueItems: true });

/** `shown`: what the page showed. */
const noticesBody = Type.Object({ kinds, shown: Type.Optional(kinds) });

/** Which notices about its documents a company sends. */
export const noticeEndpoints = [
  forMembers('GET /notices', 'admin', {}, async ({ db }, { caller }) => {
    return { kinds: await readNoticeKinds(db, caller.membership.account_id) };
  }),
  forMembers('POST /notices', 'admin', { body: noticesBody }, chooseNotices),
];

async function chooseNotices(
  { world, db }: ConsoleDeps,
  call: MemberCall<{ kinds: NoticeKind[]; shown?: NoticeKind[] }>,
) {
  const { caller, body } = call;
  const accountId = caller.membership.account_id;
  return db.transaction(async (tx) => {
    const shown = body.shown && { kinds: body.shown };
    await assertUnchanged(tx, accountId, shown, async () => ({ kinds: await readNoticeKinds(tx, accountId) }));
    const chosen = await setNoticeKinds(world, tx, accountId, body.kinds, caller.person.id);
    if (chosen === null) throw new ConsoleError('not_found');
    return { kinds: chosen };
  });
}
