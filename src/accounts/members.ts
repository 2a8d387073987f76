import { Refusal } from '../errors.ts';
import { type Queryable, sqlState, type Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { canonicalEmail } from '../world/canonical-email.ts';
import type { World } from '../world/world.ts';
import { auditAccount } from './account-audit.ts';

export const memberRoles = ['owner', 'admin', 'member'] as const;

export type MemberRole = (typeof memberRoles)[number];

/** A person of a company. Owners are told what concerns the whole account. */
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
 * Null when the account does not exist or was removed. Throws a `Refusal` for an address it has already. `personId`: who
 * makes them one; null: the operator.
 */
export async function createMember(
  world: World,
  tx: Tx,
  wish: { accountId: string; email: string; role: MemberRole },
  personId: string | null,
): Promise<Member | null> {
  const member = await insertMember(world, tx, wish);
  if (member === null) return null;
  const { id, account_id: accountId, email, role } = member;
  const detail = { member_id: id, email, role };
  await auditAccount(world, tx, { accountId, personId, action: 'member_invited', detail });
  return member;
}

async function insertMember(
  world: World,
  tx: Tx,
  wish: { accountId: string; email: string; role: MemberRole },
): Promise<Member | null> {
  try {
    const rows = await tx.query<Member>({
      name: 'create_member',
      text: `insert into members (id, account_id, email, canonical_email, role, created_at)
             select $1, id, $3, $4, $5, $6 from accounts where id = $2 and removed_at is null returning ${columns}`,
      values: [world.newId(), wish.accountId, wish.email, canonicalEmail(wish.email), wish.role, world.clock.now()],
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

/** In the order in which they joined, beginning after one of them. */
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

/** A company that a person belongs to, and as what. */
export interface Membership {
  member_id: string;
  account_id: string;
  account_name: string;
  role: MemberRole;
}

/** The companies of whoever has this e-mail address, the first joined first. Those that were removed are left out. */
export async function listMemberships(db: Queryable, email: string): Promise<Membership[]> {
  return db.query<Membership>({
    name: 'list_memberships',
    text: `select m.id as member_id, m.account_id, a.display_name as account_name, m.role
           from members m join accounts a on a.id = m.account_id
           where m.canonical_email = $1 and a.removed_at is null order by m.id`,
    values: [canonicalEmail(email)],
  });
}

/**
 * Before members change: two changes of one company's members come one after the other, so that an owner is left.
 * Returns the members.
 */
export async function lockMembers(tx: Tx, accountId: string): Promise<Member[]> {
  await tx.query({
    name: 'lock_members',
    text: 'select 1 from accounts where id = $1 for no key update',
    values: [accountId],
  });
  return listMembers(tx, accountId);
}

/** A company keeps an owner: this one neither goes nor becomes something else. */
export function isOnlyOwner(members: readonly Member[], { id, role }: Member): boolean {
  return role === 'owner' && !members.some((other) => other.role === 'owner' && other.id !== id);
}

/** Null when there is none any more. `personId`: who changes it; null: the operator. */
export async function changeMemberRole(
  world: World,
  tx: Tx,
  member: Member,
  role: MemberRole,
  personId: string | null,
): Promise<Member | null> {
  const { id, account_id: accountId, email, role: from } = member;
  const [changed] = await tx.query<Member>({
    name: 'change_member_role',
    text: `update members set role = $3 where account_id = $1 and id = $2 returning ${columns}`,
    values: [accountId, id, role],
  });
  if (changed === undefined) return null;
  const detail = { member_id: id, email, from, to: role };
  await auditAccount(world, tx, { accountId, personId, action: 'member_role_changed', detail });
  return changed;
}

/** Nothing else refers to a member: the row goes. Null when there is none. `personId`: who removes them; null: the operator. */
export async function removeMember(world: World, tx: Tx, id: string, personId: string | null): Promise<Member | null> {
  const [removed] = await tx.query<Member>({
    name: 'remove_member',
    text: `delete from members where id = $1 returning ${columns}`,
    values: [id],
  });
  if (removed === undefined) return null;
  const { account_id: accountId, email, role } = removed;
  const detail = { member_id: id, email, role };
  await auditAccount(world, tx, { accountId, personId, action: 'member_removed', detail });
  return removed;
}
