import type { Queryable } from '../postgres/database.ts';
import type { Member } from './members.ts';

/** `viewer`: sees and downloads documents. `editor`: all that the role in the company allows. */
export const folderRoles = ['viewer', 'editor'] as const;

export type FolderRole = (typeof folderRoles)[number];

/** What the access to a document depends on. */
export interface Guarded {
  account_id: string;
  restricted_kind: string | null;
  folder_id: string | null;
}

type Reader = Pick<Member, 'id' | 'role'>;

/**
 * Returns what a member of the company may do with a document. Null: not even see it. Owners and admins may do everything.
 * Other members don't see restricted documents, nor those in folders that they don't belong to.
 */
export async function accessTo(db: Queryable, reader: Reader, document: Guarded): Promise<FolderRole | null> {
  if (seesAll(reader)) return 'editor';
  if (document.restricted_kind !== null) return null;
  return accessToFolder(db, reader, document.account_id, document.folder_id);
}

/** Returns what a member of the company may do in a folder. Null: not even see it. `folderId` null: with documents in none. */
export async function accessToFolder(
  db: Queryable,
  reader: Reader,
  accountId: string,
  folderId: string | null,
): Promise<FolderRole | null> {
  if (seesAll(reader) || folderId === null) return 'editor';
  const rows = await db.query<{ role: FolderRole | null }>({
    name: 'read_folder_role',
    text: `select case when f.is_open then 'editor' else m.role end as role
           from folders f left join folder_members m on m.folder_id = f.id and m.member_id = $3
           where f.account_id = $1 and f.id = $2`,
    values: [accountId, folderId, reader.id],
  });
  return rows[0]?.role ?? null;
}

/** Returns the id of a member for `isInSeenFolder` and `isHidden`. Null for owners and admins, who see everything. */
export function readerIdOf(reader: Reader): string | null {
  return seesAll(reader) ? null : reader.id;
}

/** Returns whether the company has folders that a reader does not see. `readerId`: from `readerIdOf`. */
export async function hasHiddenFolders(db: Queryable, accountId: string, readerId: string | null): Promise<boolean> {
  if (readerId === null) return false;
  const hidden = await db.query({
    name: 'find_hidden_folder',
    text: `select from folders f where f.account_id = $1 and f.removed_at is null and not f.is_open and not exists (
             select from folder_members m where m.folder_id = f.id and m.member_id = $2) limit 1`,
    values: [accountId, readerId],
  });
  return hidden.length > 0;
}

function seesAll({ role }: Reader): boolean {
  return role !== 'member';
}

/**
 * Returns the SQL condition for documents whose folder a member sees, the account being `$1`. It is the rule of
 * `accessToFolder` for lists. `documents`: their alias. `reader`: the placeholder of `readerIdOf`.
 */
export function isInSeenFolder(documents: string, reader: string): string {
  return `(${reader}::uuid is null or ${documents}.folder_id is null or ${documents}.folder_id in (
    select f.id from folders f where f.account_id = $1 and (f.is_open or exists (
      select from folder_members m where m.folder_id = f.id and m.member_id = ${reader}::uuid))))`;
}

/** Returns the SQL condition for documents that a member may not see. It is the rule of `accessTo` for lists of other things. */
export function isHidden(documents: string, reader: string): string {
  return `(${reader}::uuid is not null and (${documents}.restricted_kind is not null
    or not ${isInSeenFolder(documents, reader)}))`;
}
