import { Refusal } from '../errors.ts';
import { type Queryable, sqlState } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { World } from '../world/world.ts';

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

/** Null when the account does not exist or was removed. Throws a `Refusal` for an address it has already. */
export async function createMember(
  world: World,
  db: Queryable,
  wish: { accountId: string; email: string; role: MemberRole },
): Promise<Member | null> {
  try {
    const rows = await db.query<Member>({
      name: 'create_member',
      text: `insert into members (id, account_id, email, role, created_at)
             select $1, id, $3, $4, $5 from accounts where id = $2 and removed_at is null returning ${columns}`,
      values: [world.newId(), wish.accountId, wish.email, wish.role, world.clock.now()],
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

/** Nothing else refers to a member: the row goes. Null when there is none. */
export async function removeMember(db: Queryable, id: string): Promise<Member | null> {
  const rows = await db.query<Member>({
    name: 'remove_member',
    text: `delete from members where id = $1 returning ${columns}`,
    values: [id],
  });
  return rows[0] ?? null;
}
