import { auditAccount } from '../../accounts/account-audit.ts';
import { readerIdOf } from '../../accounts/document-access.ts';
import { listMemberships, type MemberRole, type Membership } from '../../accounts/members.ts';
import { openable } from '../../identity/openable.ts';
import { findPerson } from '../../identity/people.ts';
import { readSessionCookie } from '../../identity/session-cookie.ts';
import { findSession, keepSession, type Session, workInInstead } from '../../identity/sessions.ts';
import { readStanding } from '../../operators/operators.ts';
import { addLogContext } from '../../platform/log-context.ts';
import type { World } from '../../platform/world.ts';
import type { Database } from '../../postgres/database.ts';
import type { Caller, ConsoleEndpoint, MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';

/** Reads who is signed in and extends the session. The role is read on every request, so changes apply at once. */
export async function readCaller(
  world: World,
  db: Database,
  cookies: string | undefined,
  origin: string,
): Promise<Caller | null> {
  const caller = await findCaller(world, db, cookies, origin);
  if (caller === null) return null;
  await keepSession(world, db, caller.session);
  if (caller.membership !== null) await openOther(world, db, caller, caller.membership.account_id);
  return caller;
}

/** Records that the person works in a company that they neither signed in to nor chose: the session no longer opens its own, or had none. */
async function openOther(world: World, db: Database, { session, person }: Caller, accountId: string): Promise<void> {
  if (accountId === session.account_id) return;
  await db.transaction(async (tx) => {
    if (!(await workInInstead(tx, session, accountId))) return;
    const detail = { method: session.method };
    await auditAccount(world, tx, { accountId, personId: person.id, action: 'company_opened', detail });
  });
}

/** Reads who is signed in, but does not extend the session. Use it for requests that no person made. */
export async function findCaller(
  world: World,
  db: Database,
  cookies: string | undefined,
  origin: string,
): Promise<Caller | null> {
  const token = readSessionCookie(cookies, 'open', origin);
  const session = token === null ? null : await findSession(world, db, token);
  if (session === null) return null;
  const person = await findPerson(db, session.person_id);
  if (person === null) return null;
  const all = await listMemberships(db, person.email);
  const memberships = openable(session, person, all);
  const isOwn = session.only_account_id === null;
  const closed = isOwn ? all.filter((each) => !memberships.includes(each)) : [];
  const chosen = memberships.find(({ account_id }) => account_id === session.account_id);
  const membership = chosen ?? memberships[0] ?? null;
  if (membership !== null) addLogContext({ account_id: membership.account_id });
  return { session, person, memberships, membership, closed };
}

const rank: Record<MemberRole, number> = { member: 1, admin: 2, owner: 3 };

export function isAtLeast(role: MemberRole, wanted: MemberRole): boolean {
  return rank[role] >= rank[wanted];
}

/** Returns the caller for the conditions of lists, as `readerIdOf` does. */
export function readerOf({ caller }: Pick<MemberCall, 'caller'>): string | null {
  return readerIdOf(memberOf(caller.membership));
}

/** Returns the caller for `accessTo`. */
export function memberOf({ member_id: id, role }: Membership): { id: string; role: MemberRole } {
  return { id, role };
}

const freshMinutes = 15;

/** Throws `not_signed_in`, `own_sign_in_needed`, `forbidden` or `sign_in_again` if the caller may not use the endpoint. */
export function assertMay(world: World, endpoint: ConsoleEndpoint, caller: Caller | null): void {
  if (endpoint.access === 'anyone') return;
  if (caller === null) throw new ConsoleError('not_signed_in');
  if (endpoint.needsOwnSignIn && caller.session.only_account_id !== null) throw new ConsoleError('own_sign_in_needed');
  if (endpoint.access !== 'signed_in') {
    const role = caller.membership?.role;
    const wanted = endpoint.access === 'operator' ? 'member' : endpoint.access;
    if (role === undefined || !isAtLeast(role, wanted)) throw new ConsoleError('forbidden');
  }
  if (endpoint.needsFreshSignIn && !isFresh(world, caller.session)) throw new ConsoleError('sign_in_again');
}

/** Throws `forbidden` or `operator_factor_needed` unless the caller runs the service. It is read on every request. */
export async function assertOperator(db: Database, { session }: Pick<Caller, 'session'>): Promise<void> {
  const standing = await readStanding(db, session);
  if (standing === 'none') throw new ConsoleError('forbidden');
  if (standing === 'needs_factor') throw new ConsoleError('operator_factor_needed');
}

/** Whether the person signed in, or confirmed who they are, within the last 15 minutes. */
export function isFresh(world: World, session: Session): boolean {
  return world.clock.now().getTime() - new Date(session.confirmed_at).getTime() <= freshMinutes * 60_000;
}
