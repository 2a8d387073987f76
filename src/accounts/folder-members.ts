import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { FolderRole } from './document-access.ts';
import { auditFolder, type Folder } from './folders.ts';
import type { Member } from './members.ts';

/** A member of a folder. `id` is that of the member of the company. */
export interface FolderMember {
  id: string;
  email: string;
  role: FolderRole;
}

/** Lists the members of a folder in the order of joining the company, after one of them. */
export function pageFolderMembers(
  db: Queryable,
  { account_id, id }: Pick<Folder, 'account_id' | 'id'>,
  afterId: string | null,
  limit: number,
): Promise<FolderMember[]> {
  return db.query<FolderMember>({
    name: 'page_folder_members',
    text: `select m.id, m.email, f.role from folder_members f join members m on m.account_id = $1 and m.id = f.member_id
           where f.account_id = $1 and f.folder_id = $2 and ($3::uuid is null or m.id > $3) order by m.id limit $4`,
    values: [account_id, id, afterId, limit],
  });
}

/**
 * Adds a member to a locked folder, or changes their role in it. Lock the members of the company first. Throws a `Refusal` for
 * owners and admins, who need no membership.
 */
export async function setFolderMember(
  world: World,
  tx: Tx,
  folder: Folder,
  member: Member,
  role: FolderRole,
  personId: string | null,
): Promise<FolderMember> {
  if (member.role !== 'member') throw new Refusal('owners and admins see every folder');
  const changed = await tx.query({
    name: 'set_folder_member',
    text: `insert into folder_members (account_id, folder_id, member_id, role, created_at) values ($1, $2, $3, $4, $5)
           on conflict (folder_id, member_id) do update set role = excluded.role where folder_members.role <> excluded.role
           returning 1`,
    values: [folder.account_id, folder.id, member.id, role, world.clock.now()],
  });
  const { id, email } = member;
  if (changed.length > 0) {
    await auditFolder(world, tx, folder, personId, 'folder_member_set', { member_id: id, email, role });
  }
  return { id, email, role };
}

/** Removes a member from a folder. Returns null if there is no such member. */
export async function removeFolderMember(
  world: World,
  tx: Tx,
  folder: Folder,
  memberId: string,
  personId: string | null,
): Promise<FolderMember | null> {
  const [removed] = await tx.query<FolderMember>({
    name: 'remove_folder_member',
    text: `with removed as (
             delete from folder_members where account_id = $1 and folder_id = $2 and member_id = $3 returning member_id, role
           )
           select m.id, m.email, r.role from removed r join members m on m.account_id = $1 and m.id = r.member_id`,
    values: [folder.account_id, folder.id, memberId],
  });
  if (removed === undefined) return null;
  await auditFolder(world, tx, folder, personId, 'folder_member_removed', {
    member_id: removed.id,
    email: removed.email,
  });
  return removed;
}
