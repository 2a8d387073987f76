import { Refusal } from '../errors.ts';
import { canonicalEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import { type Queryable, sqlState, type Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { auditAccount } from './account-audit.ts';

export const memberRoles = ['owner', 'admin', 'member'] as const;

export type MemberRole = (typeof memberRoles)[number];

/** A person in a company. Owners get the notices about the whole account. */
export interface Member {
  id: string;
  account_id: string;
  email: string;
  role: MemberRole;
  created_at: Timestamp;
}

const columns = 'id, account_id, email, role, created_at';
const uniqueViolation = '23505';

/**
 * Adds a member. Null when the account does not exist or was removed. Throws a `Refusal` for an address that is a member
 * already. `personId` is null for the operator.
 */
export async function createMember(
  world: World,
  tx: Tx,
  input: { accountId: string; email: string; role: MemberRole },
  personId: string | null,
): Promise<Member | null> {
  // An erasure of this person ends first, or sees this membership.
  await tx.query({
    name: 'hold_person_to_invite',
    text: 'select from people where canonical_email = $1 for share',
    values: [canonicalEmail(input.email)],
  });
  const member = await insertMember(world, tx, input);
  if (member === null) return null;
  const { id, account_id: accountId, email, role } = member;
  await tx.query({
    name: 'forget_removed_member',
    text: 'delete from removed_members where account_id = $1 and canonical_email = $2',
    values: [accountId, canonicalEmail(email)],
  });
  const detail = { member_id: id, email, role };
  await auditAccount(world, tx, { accountId, personId, action: 'member_invited', detail });
  return member;
}

/**
 * Adds someone whom the company's single sign-on vouches for. Null when they were removed before, or the account was. Lock the
 * members first.
 */
export async function joinMember(
  world: World,
  tx: Tx,
  input: { accountId: string; email: string; role: MemberRole },
  personId: string,
): Promise<Member | null> {
  const removed = await tx.query({
    name: 'is_removed_member',
    text: 'select 1 from removed_members where account_id = $1 and canonical_email = $2',
    values: [input.accountId, canonicalEmail(input.email)],
  });
  const member = removed.length > 0 ? null : await insertMember(world, tx, input);
  if (member === null) return null;
  const { id, account_id: accountId, email, role } = member;
  const detail = { member_id: id, email, role };
  await auditAccount(world, tx, { accountId, personId, action: 'member_joined', detail });
  return member;
}

async function insertMember(
  world: World,
  tx: Tx,
  input: { accountId: string; email: string; role: MemberRole },
): Promise<Member | null> {
  try {
    const rows = await tx.query<Member>({
      name: 'create_member',
      text: `insert into members (id, account_id, email, canonical_email, role, created_at)
             select $1, id, $3, $4, $5, $6 from accounts where id = $2 and removed_at is null returning ${columns}`,
      values: [world.newId(), input.accountId, input.email, canonicalEmail(input.email), input.role, world.clock.now()],
    });
    return rows[0] ?? null;
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new Refusal('the account has a member with this e-mail address');
    throw error;
  }
}

export async function findMember(db: Queryable, id: string): Promise<Member | null> {
  const rows = await db.query<Member>({
    name: 'find_member',
    text: `select ${columns} from members where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

export async function listMembers(db: Queryable, accountId: string): Promise<Member[]> {
  return db.query<Member>({
    name: 'list_members',
    text: `select ${columns} from members where account_id = $1 order by id`,
    values: [accountId],
  });
}

/** Lists members in the order of joining, after one of them. */
export async function pageMembers(
  db: Queryable,
  accountId: string,
  afterId: string | null,
  limit: number,
): Promise<Member[]> {
  return db.query<Member>({
    name: 'page_members',
    text: `select ${columns} from members where account_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    values: [accountId, afterId, limit],
  });
}

/** A company that a person belongs to, with the person's role. */
export interface Membership {
  member_id: string;
  account_id: string;
  account_name: string;
  role: MemberRole;
  /** Whether the company opens with single sign-on only. */
  requires_sso: boolean;
}

/** Lists the companies of the person with this e-mail address, without removed ones, in the order of joining. */
export async function listMemberships(db: Queryable, email: string): Promise<Membership[]> {
  return db.query<Membership>({
    name: 'list_memberships',
    text: `select m.id as member_id, m.account_id, a.display_name as account_name, m.role, a.requires_sso
           from members m join accounts a on a.id = m.account_id
           where m.canonical_email = $1 and a.removed_at is null order by m.id`,
    values: [canonicalEmail(email)],
  });
}

/**
 * Locks the members of a company before a change, so that concurrent changes can't remove the last owner. Returns them.
 */
export async function lockMembers(tx: Tx, accountId: string): Promise<Member[]> {
  await tx.query({
    name: 'lock_members',
    text: 'select 1 from accounts where id = $1 for no key update',
    values: [accountId],
  });
  return listMembers(tx, accountId);
}

/**
 * Returns whether the person with this e-mail address belongs to a company that exists. Removing the member or the company waits
 * until the transaction has ended.
 */
export async function holdMemberships(tx: Tx, email: string): Promise<boolean> {
  const held = await tx.query({
    name: 'hold_memberships',
    text: `select from members m join accounts a on a.id = m.account_id
           where m.canonical_email = $1 and a.removed_at is null for key share`,
    values: [canonicalEmail(email)],
  });
  return held.length > 0;
}

/** Refuses to remove or change the last owner of a company. */
export function isOnlyOwner(members: readonly Member[], { id, role }: Member): boolean {
  return role === 'owner' && !members.some((other) => other.role === 'owner' && other.id !== id);
}

/**
 * Changes a role, if it is another one. New owners and admins leave their folders, because they see all: a change back gives none
 * again. Null when there is no such member. `personId` is null for the operator, and when single sign-on changes it (`by`).
 */
export async function changeMemberRole(
  world: World,
  tx: Tx,
  member: Member,
  role: MemberRole,
  personId: string | null,
  by?: 'sso',
): Promise<Member | null> {
  const { id, account_id: accountId, email, role: from } = member;
  if (role === from) return member;
  const [changed] = await tx.query<Member>({
    name: 'change_member_role',
    text: `update members set role = $3 where account_id = $1 and id = $2 returning ${columns}`,
    values: [accountId, id, role],
  });
  if (changed === undefined) return null;
  if (role !== 'member') {
    await tx.query({
      name: 'leave_folders',
      text: 'delete from folder_members where account_id = $1 and member_id = $2',
      values: [accountId, id],
    });
  }
  const detail = { member_id: id, email, from, to: role, ...(by !== undefined && { by }) };
  await auditAccount(world, tx, { accountId, personId, action: 'member_role_changed', detail });
  return changed;
}

/**
 * Removes a member, and what they saved to sign with if it was their last company. Ends their sessions of single sign-on, which
 * doesn't add them again, until someone invites them. Null when there is no such member.
 * `personId` is null for the operator.
 */
export async function removeMember(world: World, tx: Tx, id: string, personId: string | null): Promise<Member | null> {
  // The lock of `lockMembers`: requests of this member that give access wait for it, and are then refused.
  await tx.query({
    name: 'lock_account_of_member',
    text: 'select from accounts where id = (select account_id from members where id = $1) for no key update',
    values: [id],
  });
  const [removed] = await tx.query<Member>({
    name: 'remove_member',
    text: `with removed as (delete from members where id = $1 returning ${columns}, canonical_email), kept as (
             insert into removed_members (account_id, canonical_email, removed_at)
             select account_id, canonical_email, $2 from removed
             on conflict (account_id, canonical_email) do update set removed_at = $2
           ), ended as (
             delete from sessions s using removed r, people p
             where p.canonical_email = r.canonical_email and s.person_id = p.id and s.only_account_id = r.account_id
           )
           select ${columns} from removed`,
    values: [id, world.clock.now()],
  });
  if (removed === undefined) return null;
  const { account_id: accountId, email, role } = removed;
  await forgetSavedSignatures(tx, [email]);
  const detail = { member_id: id, email, role };
  await auditAccount(world, tx, { accountId, personId, action: 'member_removed', detail });
  return removed;
}

/** Deletes the saved signatures of those who belong to no company any more: only members can change or remove them. */
export async function forgetSavedSignatures(tx: Tx, emails: readonly string[]): Promise<void> {
  await tx.query({
    name: 'forget_saved_signatures',
    text: `delete from saved_signatures s using people p
           where p.id = s.person_id and p.canonical_email = any ($1::text[])
             and not exists (select 1 from members m join accounts a on a.id = m.account_id
                             where m.canonical_email = p.canonical_email and a.removed_at is null)`,
    values: [emails.map(canonicalEmail)],
  });
}
