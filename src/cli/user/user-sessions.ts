import type { Command } from 'commander';
import { auditAccount } from '../../accounts/account-audit.ts';
import { findMember } from '../../accounts/members.ts';
import { endSession, endSessions } from '../../identity/end-sessions.ts';
import { findPersonByEmail, type Person } from '../../identity/people.ts';
import { sessionJson } from '../../identity/session-json.ts';
import { listSessions } from '../../identity/sessions.ts';
import { isUuid } from '../../platform/ids.ts';
import { byId, noSuch } from '../core/by-id.ts';
import { type Session as CommandSession, withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';

export function defineSessions(user: Command): void {
  user
    .command('sessions <id>')
    .description('list the browsers a member is signed in with')
    .action(async (id: string, _options, command: Command) => {
      const sessions = await withDatabase((session) => list(session, id));
      answer(command, sessions, (rows) => table(rows, 'signed in nowhere'));
    });

  user
    .command('sign-out <id>')
    .description('sign a member out of every browser; unused one-time links stay valid')
    .option('--session <id>', 'only this session, as listed by user sessions')
    .action(async (id: string, { session: sessionId }: { session?: string }, command: Command) => {
      answer(command, await withDatabase((session) => signOut(session, id, sessionId ?? null)), card);
    });
}

async function list({ world, db }: CommandSession, id: string) {
  const { person } = await findPersonOf(db, id);
  return person === null ? [] : (await listSessions(world, db, person.id)).map(sessionJson);
}

async function signOut({ world, db }: CommandSession, id: string, sessionId: string | null) {
  const { member, person } = await findPersonOf(db, id);
  const ended = await db.transaction(async (tx) => {
    if (person === null) return 0;
    const entry = { accountId: member.account_id, personId: null };
    if (sessionId === null) {
      const count = await endSessions(tx, person.id, null);
      const detail = { member_id: member.id, email: member.email, ended: count };
      await auditAccount(world, tx, { ...entry, action: 'sessions_ended', detail });
      return count;
    }
    if (!isUuid(sessionId) || !(await endSession(tx, person.id, sessionId))) return 0;
    const detail = { member_id: member.id, email: member.email, session_id: sessionId };
    await auditAccount(world, tx, { ...entry, action: 'session_ended', detail });
    return 1;
  });
  if (sessionId !== null && ended === 0) throw noSuch('session of this member', sessionId);
  return { id: member.id, email: member.email, ended };
}

/** `person` is null for a member who has never signed in. */
async function findPersonOf(db: CommandSession['db'], id: string) {
  const member = await byId('member', id, () => findMember(db, id));
  const person: Person | null = await findPersonByEmail(db, member.email);
  return { member, person };
}
