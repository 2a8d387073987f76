import { changeMemberRole, joinMember, lockMembers, type Member, type MemberRole } from '../accounts/members.ts';
import { ensureLockedPerson, lockPerson, type Person } from '../identity/people.ts';
import { isSameEmail } from '../platform/canonical-email.ts';
import { isPlausibleEmail } from '../platform/email-address.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { lockSso, type SsoConnection } from './connection.ts';
import { domainOf, isProven } from './domains.ts';
import type { ProvenClaims } from './exchange-code.ts';
import { findSubject, hasSubject, recordSubject } from './identities.ts';
import { roleOf } from './role-of.ts';

/** Why the provider knows the person, and the company doesn't let them in. */
export type MemberRefusal =
  /** The settings were changed during the sign-in. */
  | 'changed'
  | 'no_email'
  /** Neither does the provider vouch for the address, nor has the company proven its domain. */
  | 'email_unverified'
  /** Only members may come, or only those with a matching group. */
  | 'not_member'
  /** Only those with a matching group may come, and the provider leaves their groups out. */
  | 'groups_missing'
  | 'removed'
  /** The provider means somebody else by this address than at the first sign-in. */
  | 'other_subject';

export type Settled = { person: Person; member: Member } | { refusal: MemberRefusal };

/**
 * Finds the member whom the provider means, or adds them: by subject, and at the first sign-in by address. Sets their role as the
 * groups say, except that of owners.
 */
export async function settleMember(
  world: World,
  tx: Tx,
  { account_id: accountId, version }: SsoConnection,
  claims: ProvenClaims,
): Promise<Settled> {
  const current = await lockSso(tx, accountId);
  if (current === false || current?.version !== version) return { refusal: 'changed' };
  const subject = { accountId, issuer: claims.issuer, subject: claims.subject };
  const known = await findSubject(tx, subject);
  const found =
    known === null
      ? await findByAddress(world, tx, current, claims)
      : await findKnown(world, tx, current, claims, known);
  if ('refusal' in found) return found;
  await recordSubject(world, tx, subject, found.person.id);
  return { person: found.person, member: await followGroups(world, tx, current, found.member, claims) };
}

/** The address at the provider may have changed since. The member stays, or was removed and invited with the new address. */
async function findKnown(
  world: World,
  tx: Tx,
  connection: SsoConnection,
  claims: ProvenClaims,
  personId: string,
): Promise<Settled> {
  const person = await lockPerson(tx, personId);
  const members = await lockMembers(tx, connection.account_id);
  const member = members.find(({ email }) => person !== null && isSameEmail(email, person.email));
  if (person !== null && member !== undefined) return { person, member };
  const isInvited = members.some(({ email }) => claims.email !== null && isSameEmail(email, claims.email));
  return isInvited ? findByAddress(world, tx, connection, claims) : { refusal: 'removed' };
}

async function findByAddress(
  world: World,
  tx: Tx,
  connection: SsoConnection,
  { email, isEmailVerified, groups, issuer }: ProvenClaims,
): Promise<Settled> {
  const { account_id: accountId } = connection;
  if (email === null || !isPlausibleEmail(email)) return { refusal: 'no_email' };
  const isOwnDomain = await isProven(tx, accountId, domainOf(email));
  // The domain says whose addresses these are, not that this account at the provider has this one.
  if (!(isEmailVerified ?? isOwnDomain)) return { refusal: 'email_unverified' };
  const members = await lockMembers(tx, accountId);
  const member = members.find((each) => isSameEmail(each.email, email));
  if (member !== undefined) {
    const person = await ensureLockedPerson(world, tx, member.email);
    const isOther = await hasSubject(tx, { accountId, issuer }, person.id);
    return isOther ? { refusal: 'other_subject' } : { person, member };
  }
  const role = isOwnDomain ? roleOf(connection, groups ?? []) : null;
  if (role === null) return { refusal: isOwnDomain && groups === null ? 'groups_missing' : 'not_member' };
  const person = await ensureLockedPerson(world, tx, email);
  const joined = await joinMember(world, tx, { accountId, email: person.email, role }, person.id);
  return joined === null ? { refusal: 'removed' } : { person, member: joined };
}

/** Members without a matching group get the default role, or are plain members. The role stays when the groups aren't known. */
async function followGroups(
  world: World,
  tx: Tx,
  connection: SsoConnection,
  member: Member,
  { groups }: ProvenClaims,
): Promise<Member> {
  if (connection.role_claim === null || groups === null || member.role === 'owner') return member;
  const role: MemberRole = roleOf(connection, groups) ?? 'member';
  if (role === member.role) return member;
  return (await changeMemberRole(world, tx, member, role, null, 'sso')) ?? member;
}
