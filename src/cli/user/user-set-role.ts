import type { Command } from 'commander';
import { changeMemberRole, type MemberRole, memberRoles } from '../../accounts/members.ts';
import { oneOf } from '../core/arguments.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { changeMember } from './change-member.ts';
import { memberJson } from './member-json.ts';

export function defineSetRole(user: Command): void {
  user
    .command('set-role <id>')
    .description("change a member's role; a company keeps at least one owner")
    .requiredOption('--role <role>', `one of ${memberRoles.join(', ')}`, oneOf('--role', memberRoles))
    .action(async (id: string, { role }: { role: MemberRole }, command: Command) => {
      const changed = await withDatabase(({ world, db }) =>
        changeMember(db, id, {
          isDone: (member) => member.role === role,
          make: (tx, member) => changeMemberRole(world, tx, member, role, null),
        }),
      );
      answer(command, memberJson(changed), card);
    });
}
