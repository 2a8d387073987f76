import { lockMembers, type MemberRole } from '../../accounts/members.ts';
import { lockPerson, type Person } from '../../identity/people.ts';
import { isSameEmail } from '../../platform/canonical-email.ts';
import type { Tx } from '../../postgres/database.ts';
import { isAtLeast } from './authorise.ts';
import type { MemberCall, SignedInCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';

type Asked = Pick<MemberCall, 'caller'>;

/** Checks session and role again, because waiting for a lock takes time. Throws `forbidden`. */
export async function assertStillMay(tx: Tx, { caller }: Asked): Promise<void> {
  const { member_id, role } = caller.membership;
  const [now] = await tx.query<{ role: MemberRole }>({
    name: 'read_role_now',
    text: 'select m.role from members m where m.id = $1 and exists (select 1 from sessions s where s.id = $2)',
    values: [member_id, caller.session.id],
  });
  if (now === undefined || !isAtLeast(now.role, role)) throw new ConsoleError('forbidden');
}

/**
 * Begins a transaction that gives somebody access, such as to a key. If the caller was removed or lost the role, it throws `forbidden`.
 * Removing members and changing roles waits until the transaction has ended.
 */
export async function lockAccess(tx: Tx, call: Asked): Promise<void> {
  await lockMembers(tx, call.caller.membership.account_id);
  await assertStillMay(tx, call);
}

/**
 * Begins a change of how the caller signs in, and returns the caller's person as they are now. Signing in and other changes wait
 * until the transaction has ended. Throws `not_signed_in` if the session has ended or the person was erased meanwhile.
 */
export async function lockOwnSignIn(tx: Tx, { caller }: Pick<SignedInCall, 'caller'>): Promise<Person> {
  const person = await lockPerson(tx, caller.person.id);
  const sessions = await tx.query({
    name: 'session_is_open',
    text: 'select from sessions where id = $1',
    values: [caller.session.id],
  });
  const isSame = person !== null && sessions.length > 0 && isSameEmail(person.email, caller.person.email);
  if (!isSame) throw new ConsoleError('not_signed_in');
  return person;
}
