import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import { type Queryable, sqlState, type Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { auditAccount } from './account-audit.ts';
import type { FolderRole } from './document-access.ts';

/**
 * Folders of a company. Members see the documents of their folders only; `document-access.ts` has the rule. Changes of folders
 * run in the caller's transaction, and `personId` is null for an operator.
 */
export interface Folder {
  id: string;
  account_id: string;
  name: string;
  /** Whether every member of the company is an editor. */
  is_open: boolean;
  created_at: Timestamp;
}

/** A company has at most this many folders, so that all of them fit in one list. */
export const foldersMax = 200;
export const folderNameLengthMax = 80;

const columns = 'id, account_id, name, is_open, created_at';
const uniqueViolation = '23505';

/** Why a folder can't be created, changed or deleted. */
export const folderRefusals = {
  folder_exists: 'A folder with this name exists already.',
  too_many_folders: `A company can have at most ${foldersMax} folders. Delete one first.`,
  folder_not_empty:
    'Move the folder’s documents and templates out first, restricted ones too. Then it can be deleted without showing them to others.',
} as const;

export type FolderRefusalCode = keyof typeof folderRefusals;

export class FolderRefusal extends Refusal {
  readonly code: FolderRefusalCode;

  constructor(code: FolderRefusalCode) {
    super(folderRefusals[code]);
    this.name = 'FolderRefusal';
    this.code = code;
  }
}

/**
 * Returns the name as it is stored, and as it is compared. Null if it is blank, longer than `folderNameLengthMax` characters, or
 * has characters that can't be stored or that no one can see.
 */
export function readFolderName(text: string): { name: string; key: string } | null {
  const name = text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
  if (!name.isWellFormed() || /[\p{Cc}\p{Bidi_Control}]/u.test(name) || [...name].length > folderNameLengthMax)
    return null;
  const key = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim();
  return key === '' ? null : { name, key };
}

/** A folder as one member sees it. */
export interface SeenFolder extends Folder {
  role: FolderRole;
}

/** Lists the folders that a member sees, by name, or all of the company if `readerId` is null. See `readerIdOf`. */
export function listFolders(db: Queryable, accountId: string, readerId: string | null): Promise<SeenFolder[]> {
  return db.query<SeenFolder>({
    name: 'list_folders',
    text: `select f.id, f.account_id, f.name, f.is_open, f.created_at,
             case when $2::uuid is null or f.is_open then 'editor' else m.role end as role
           from folders f left join folder_members m on m.folder_id = f.id and m.member_id = $2
           where f.account_id = $1 and f.removed_at is null and ($2::uuid is null or f.is_open or m.member_id is not null)
           order by f.name_key, f.id limit $3`,
    values: [accountId, readerId, foldersMax],
  });
}

export async function findFolder(db: Queryable, accountId: string, id: string): Promise<Folder | null> {
  const rows = await db.query<Folder>({
    name: 'find_folder',
    text: `select ${columns} from folders where account_id = $1 and id = $2 and removed_at is null`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** Finds a folder of any account by its id. Only for operators. */
export async function findFolderById(db: Queryable, id: string): Promise<Folder | null> {
  const rows = await db.query<Folder>({
    name: 'find_folder_by_id',
    text: `select ${columns} from folders where id = $1 and removed_at is null`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Finds the folder and keeps others from deleting it until the transaction ends. */
export async function holdFolder(tx: Tx, accountId: string, id: string): Promise<Folder | null> {
  const rows = await tx.query<Folder>({
    name: 'hold_folder',
    text: `select ${columns} from folders where account_id = $1 and id = $2 and removed_at is null for key share`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** Finds the folder and locks it against all other changes. */
export async function lockFolder(tx: Tx, accountId: string, id: string): Promise<Folder | null> {
  const rows = await tx.query<Folder>({
    name: 'lock_folder',
    text: `select ${columns} from folders where account_id = $1 and id = $2 and removed_at is null for update`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/**
 * Creates a folder without members. Returns null if the account does not exist or was removed. Throws `folder_exists` and
 * `too_many_folders`. `key`: see `readFolderName`.
 */
export async function createFolder(
  world: World,
  tx: Tx,
  accountId: string,
  input: { name: string; key: string; isOpen: boolean },
  personId: string | null,
): Promise<Folder | null> {
  // The lock makes the count exact.
  const accounts = await tx.query({
    name: 'lock_account_of_folders',
    text: 'select from accounts where id = $1 and removed_at is null for no key update',
    values: [accountId],
  });
  if (accounts.length === 0) return null;
  const [folder] = await unlessTaken(() =>
    tx.query<Folder>({
      name: 'create_folder',
      text: `insert into folders (id, account_id, name, name_key, is_open, created_at)
             select $2, $1, $3, $4, $5, $6
             where (select count(*) from folders where account_id = $1 and removed_at is null) < $7 returning ${columns}`,
      values: [accountId, world.newId(), input.name, input.key, input.isOpen, world.clock.now(), foldersMax],
    }),
  );
  if (folder === undefined) throw new FolderRefusal('too_many_folders');
  await auditFolder(world, tx, folder, personId, 'folder_created', { is_open: folder.is_open });
  return folder;
}

/** Renames a locked folder. Throws `folder_exists`. */
export async function renameFolder(
  world: World,
  tx: Tx,
  folder: Folder,
  { name, key }: { name: string; key: string },
  personId: string | null,
): Promise<Folder> {
  if (name === folder.name) return folder;
  await unlessTaken(() =>
    tx.query({
      name: 'rename_folder',
      text: 'update folders set name = $3, name_key = $4 where account_id = $1 and id = $2',
      values: [folder.account_id, folder.id, name, key],
    }),
  );
  await auditFolder(world, tx, { ...folder, name }, personId, 'folder_renamed', { from: folder.name });
  return { ...folder, name };
}

/** Opens a locked folder to every member of the company, as editors, or closes it to all but its members. */
export async function openFolder(
  world: World,
  tx: Tx,
  folder: Folder,
  isOpen: boolean,
  personId: string | null,
): Promise<Folder> {
  if (isOpen === folder.is_open) return folder;
  await tx.query({
    name: 'open_folder',
    text: 'update folders set is_open = $3 where account_id = $1 and id = $2',
    values: [folder.account_id, folder.id, isOpen],
  });
  await auditFolder(world, tx, folder, personId, isOpen ? 'folder_opened' : 'folder_closed', {});
  return { ...folder, is_open: isOpen };
}

/**
 * Deletes a locked folder. Throws `folder_not_empty` while it has documents or templates. Deleted templates stay in it, and so
 * only owners and admins see their bulk sends.
 */
export async function deleteFolder(world: World, tx: Tx, folder: Folder, personId: string | null): Promise<void> {
  const documents = await tx.query({
    name: 'documents_of_folder',
    text: `select from documents where account_id = $1 and folder_id = $2 and not (is_template and status = 'voided') limit 1`,
    values: [folder.account_id, folder.id],
  });
  if (documents.length > 0) throw new FolderRefusal('folder_not_empty');
  await tx.query({
    name: 'delete_folder',
    text: `with members as (delete from folder_members where account_id = $1 and folder_id = $2)
           update folders set removed_at = $3, is_open = false where account_id = $1 and id = $2`,
    values: [folder.account_id, folder.id, world.clock.now()],
  });
  await auditFolder(world, tx, folder, personId, 'folder_deleted', {});
}

type FolderAction =
  | 'folder_created'
  | 'folder_renamed'
  | 'folder_opened'
  | 'folder_closed'
  | 'folder_deleted'
  | 'folder_member_set'
  | 'folder_member_removed';

/** Writes a change of a folder to the audit log. */
export function auditFolder(
  world: World,
  tx: Tx,
  { account_id: accountId, id, name }: Folder,
  personId: string | null,
  action: FolderAction,
  more: Record<string, unknown>,
): Promise<void> {
  return auditAccount(world, tx, { accountId, personId, action, detail: { folder_id: id, name, ...more } });
}

async function unlessTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new FolderRefusal('folder_exists');
    throw error;
  }
}
