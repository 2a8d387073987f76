import { auditAccount } from '../accounts/account-audit.ts';
import type { Folder } from '../accounts/folders.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { documentsChannel } from './audit.ts';
import type { Document } from './document.ts';

/** At most this many documents are moved at once. */
export const movedMax = 100;

type Moved = Pick<Document, 'id' | 'account_id' | 'folder_id'>;

/**
 * Moves documents and templates to a folder, or to none. The caller has checked permissions, holds the documents' locks, taken
 * in the order of their ids, and holds the folder. The company's audit log tells of it: the trail of a document goes to its
 * recipients, who are not to know the names of folders. `personId` is null for an operator. Returns how many were moved.
 */
export async function moveDocuments(
  world: World,
  tx: Tx,
  documents: readonly Moved[],
  target: Pick<Folder, 'id' | 'name'> | null,
  personId: string | null,
): Promise<number> {
  const folderId = target?.id ?? null;
  const moved = documents.filter(({ folder_id }) => folder_id !== folderId);
  const names = await readFolderNames(tx, moved);
  for (const document of moved) {
    const { account_id: accountId, id, folder_id } = document;
    await putInFolder(tx, document, folderId);
    const from = folder_id === null ? null : (names.get(folder_id) ?? null);
    const detail = { document_id: id, from, to: target?.name ?? null };
    await auditAccount(world, tx, { accountId, personId, action: 'document_moved', detail });
    tx.notify(documentsChannel, accountId);
  }
  return moved.length;
}

/** Sets the folder of a document, without an entry in a log. */
export async function putInFolder(tx: Tx, document: Moved, folderId: string | null): Promise<void> {
  document.folder_id = folderId;
  await tx.query({
    name: 'put_in_folder',
    text: 'update documents set folder_id = $3 where account_id = $1 and id = $2',
    values: [document.account_id, document.id, folderId],
  });
}

async function readFolderNames(tx: Tx, documents: readonly Moved[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<Pick<Folder, 'id' | 'name'>>({
    name: 'read_folder_names',
    text: 'select id, name from folders where account_id = any ($1::uuid[]) and id = any ($2::uuid[])',
    values: [documents.map(({ account_id }) => account_id), documents.map(({ folder_id }) => folder_id)],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
