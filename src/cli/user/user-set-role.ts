import type { Command } from 'commander';
import {
  changeMemberRole,
  findMember,
  isOnlyOwner,
  lockMembers,
  type Member,
  type MemberRole,
  memberRoles,
} from '../../accounts/members.ts';
import { Refusal } from '../../errors.ts';
import { oneOf } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { memberJson } from './member-json.ts';

export function defineSetRole(user: Command): void {
  user
    .command('set-role <id>')
    .description("change a member's role; a company keeps at least one owner")
    .requiredOption('--role <role>', `one of ${memberRoles.join(', ')}`, oneOf('--role', memberRoles))
    .action(async (id: string, { role }: { role: MemberRole }, command: Command) => {
      const changed = await withDatabase((session) => setRole(session, id, role));
      answer(command, memberJson(changed), card);
    });
}

/** Changes and audits nothing when the member already has the role. */
async function setRole({ world, db }: Session, id: string, role: MemberRole): Promise<Member> {
  const found = await byId('member', id, () => findMember(db, id));
  return db.transaction(async (tx) => {
    const members = await lockMembers(tx, found.account_id);
    const member = await byId('member', id, async () => members.find((other) => other.id === found.id) ?? null);
    if (member.role === role) return member;
    if (isOnlyOwner(members, member)) throw new Refusal('a company needs an owner: give another member the role first');
    return byId('member', id, () => changeMemberRole(world, tx, member, role, null));
  });
}
