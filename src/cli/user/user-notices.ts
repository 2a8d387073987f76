import type { Command } from 'commander';
import { findMember } from '../../accounts/members.ts';
import { readOwnNotices, type SenderNoticeKind, senderNoticeKinds, setOwnNotices } from '../../accounts/own-notices.ts';
import { UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';

const examples = `
Examples:
  countersign user notices $MEMBER
  countersign user notices $MEMBER --kinds sender_completed,sender_declined
  countersign user notices $MEMBER --kinds none`;

export function defineUserNotices(user: Command): void {
  user
    .command('notices <id>')
    .description('show or choose which notices a member gets about the documents that they sent')
    .option('--kinds <list>', `all, none, or some of ${senderNoticeKinds.join(',')}`, kindsOf)
    .addHelpText('after', examples)
    .action(async (id: string, { kinds }: { kinds?: readonly SenderNoticeKind[] }, command: Command) => {
      const shown = await withDatabase(async ({ world, db }) => {
        const { account_id: accountId, id: memberId, email } = await byId('member', id, () => findMember(db, id));
        const reader = { accountId, memberId };
        const own = await byId('member', id, () =>
          kinds === undefined
            ? readOwnNotices(db, reader)
            : db.transaction((tx) => setOwnNotices(world, tx, reader, kinds, null)),
        );
        return { id: memberId, email, ...own };
      });
      answer(command, shown, card);
    });
}

function kindsOf(value: string): readonly SenderNoticeKind[] {
  if (value === 'all') return senderNoticeKinds;
  if (value === 'none') return [];
  const wanted = value.split(',').map((kind) => kind.trim());
  const unknown = wanted.filter((kind) => !(senderNoticeKinds as readonly string[]).includes(kind));
  if (unknown.length === 0) return senderNoticeKinds.filter((kind) => wanted.includes(kind));
  throw new UsageError(
    `--kinds must be all, none or a comma-separated list of ${senderNoticeKinds.join(',')}; unknown: ${unknown.join(', ')}`,
  );
}
