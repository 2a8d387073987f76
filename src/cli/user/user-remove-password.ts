import type { Command } from 'commander';
import { auditAccount } from '../../accounts/account-audit.ts';
import { findMember, type Member } from '../../accounts/members.ts';
import { endSessions } from '../../identity/end-sessions.ts';
import { ensurePerson, setPasswordHash } from '../../identity/people.ts';
import { byId } from '../core/by-id.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { memberJson } from './member-json.ts';

/** Removes the password. The person signs in with a link and sets a new one, so that no one else knows it. */
export function defineRemovePassword(user: Command): void {
  user
    .command('remove-password <id>')
    .description('remove a forgotten password: the member signs in with a link and can set a new one')
    .action(async (id: string, _options, command: Command) => {
      answer(command, memberJson(await withDatabase((session) => removePassword(session, id))), card);
    });
}

async function removePassword({ world, db }: Session, id: string): Promise<Member> {
  const member = await byId('member', id, () => findMember(db, id));
  await db.transaction(async (tx) => {
    const person = await ensurePerson(world, tx, member.email);
    await setPasswordHash(tx, person.id, null);
    await endSessions(tx, person.id, null);
    const entry = {
      accountId: member.account_id,
      personId: null,
      detail: { member_id: member.id, email: member.email },
    };
    await auditAccount(world, tx, { ...entry, action: 'password_removed' });
  });
  return member;
}
