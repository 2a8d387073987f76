import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { changeReferences, type FileContent, releaseFiles } from './stored-files.ts';

/** The types of files that a recipient can attach to a field, by the end of their names. */
export const fieldFileTypes = { pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg' } as const;

export type FieldFileType = (typeof fieldFileTypes)[keyof typeof fieldFileTypes];

/** A row of `field_files`: the file that a recipient attached to a field of the type `upload`. */
export interface FieldFile extends FileContent {
  field_id: string;
  recipient_id: string;
  id: string;
  name: string;
  media_type: FieldFileType;
  /** When the recipient signed with it. Null: it is only kept for them. */
  signed_at: Timestamp | null;
}

export const fieldFileBytesMax = 10 * 1024 * 1024;
/** The number of fields of the type `upload` in a document. */
export const uploadFieldsMax = 20;
/** How long a file is kept that nobody has signed with. */
const pendingFileDays = 7;
const documentsAtOnceMax = 100;

interface DocumentKey {
  account_id: string;
  id: string;
}

/** Lists the files of a document's fields, in the order of the fields. */
export function listFieldFiles(db: Queryable, { account_id, id }: DocumentKey): Promise<FieldFile[]> {
  return db.query<FieldFile>({
    name: 'list_field_files',
    text: `select u.field_id, u.recipient_id, u.id, u.sha256, s.bytes, u.name, u.media_type, u.signed_at
           from field_files u join document_fields f on f.id = u.field_id join stored_files s on s.sha256 = u.sha256
           where u.account_id = $1 and u.document_id = $2 order by f.position`,
    values: [account_id, id],
  });
}

/** Lists the files with which recipients have signed. */
export async function listSignedFiles(db: Queryable, document: DocumentKey): Promise<FieldFile[]> {
  return (await listFieldFiles(db, document)).filter(({ signed_at }) => signed_at !== null);
}

/**
 * Keeps a stored file for a field, instead of an earlier one. The same file again stays what it is, and is kept as long as a new one.
 * The caller holds the document's lock. Returns the id of the file.
 */
export async function keepFieldFile(
  world: World,
  tx: Tx,
  document: DocumentKey,
  file: Omit<FieldFile, 'id' | 'signed_at'>,
): Promise<string> {
  const earlier = (await listFieldFiles(tx, document)).find(({ field_id }) => field_id === file.field_id);
  if (earlier?.sha256.equals(file.sha256) && earlier.name === file.name) {
    await tx.query({
      name: 'keep_field_file_longer',
      text: 'update field_files set uploaded_at = $3 where account_id = $1 and field_id = $2',
      values: [document.account_id, file.field_id, world.clock.now()],
    });
    return earlier.id;
  }
  await changeReferences(world, tx, [file], earlier === undefined ? [] : [earlier.sha256]);
  const id = world.newId();
  await tx.query({
    name: 'keep_field_file',
    text: `with valued as (update document_fields set value = $8 where account_id = $2 and id = $1)
           insert into field_files (field_id, account_id, document_id, recipient_id, id, sha256, media_type, name, uploaded_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           on conflict (field_id) do update set
             id = excluded.id, sha256 = excluded.sha256, media_type = excluded.media_type, name = excluded.name,
             uploaded_at = excluded.uploaded_at`,
    values: [
      file.field_id,
      document.account_id,
      document.id,
      file.recipient_id,
      id,
      file.sha256,
      file.media_type,
      file.name,
      world.clock.now(),
    ],
  });
  return id;
}

/**
 * Marks the files of these fields as signed. Returns them, in the order of their fields. The caller has the document's lock, and
 * compares how many there are: unfinished files may have been removed.
 */
export async function signFieldFiles(
  tx: Tx,
  document: DocumentKey,
  fieldIds: readonly string[],
  now: Timestamp,
): Promise<FieldFile[]> {
  const signed = await tx.query<{ field_id: string }>({
    name: 'sign_field_files',
    text: `update field_files set signed_at = $3 where account_id = $1 and document_id = $4 and field_id = any ($2::uuid[])
           returning field_id`,
    values: [document.account_id, fieldIds, now, document.id],
  });
  const ids = new Set(signed.map(({ field_id }) => field_id));
  return (await listFieldFiles(tx, document)).filter(({ field_id }) => ids.has(field_id));
}

/** Removes the files of a recipient that nobody has signed with, except those of `kept` fields. */
export async function dropPendingFiles(
  world: World,
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  kept: readonly string[] = [],
): Promise<void> {
  const dropped = await tx.query<{ sha256: Buffer }>({
    name: 'drop_pending_files',
    text: `delete from field_files
           where account_id = $1 and recipient_id = $2 and signed_at is null and not field_id = any ($3::uuid[])
           returning sha256`,
    values: [account_id, id, kept],
  });
  await release(world, tx, dropped);
}

/** Removes all files of these recipients, for their erasure. */
export async function eraseFieldFiles(
  world: World,
  tx: Tx,
  accountId: string,
  recipientIds: readonly string[],
): Promise<void> {
  const erased = await tx.query<{ sha256: Buffer }>({
    name: 'erase_files_of_recipients',
    text: 'delete from field_files where account_id = $1 and recipient_id = any ($2::uuid[]) returning sha256',
    values: [accountId, recipientIds],
  });
  await release(world, tx, erased);
}

/**
 * Removes files that nobody has signed with for some days, or whose document has ended, and empties their fields. Returns how many.
 */
export async function removePendingFiles(world: World, db: Database): Promise<number> {
  const before = new Date(world.clock.now().getTime() - pendingFileDays * 86_400_000);
  return db.transaction(async (tx) => {
    const documents = await tx.query<{ id: string }>({
      name: 'documents_with_pending_files',
      // A document that somebody signs or uploads to is left for the next time.
      text: `select d.id from documents d
             where exists (
               select from field_files u where u.account_id = d.account_id and u.document_id = d.id and u.signed_at is null
                 and (u.uploaded_at < $1 or d.status not in ('sent', 'partially_signed'))
             )
             order by d.id limit ${documentsAtOnceMax} for update of d skip locked`,
      values: [before],
    });
    const removed = await tx.query<{ sha256: Buffer }>({
      name: 'remove_pending_files',
      text: `with removed as (
               delete from field_files u using documents d
               where u.document_id = any ($2::uuid[]) and d.account_id = u.account_id and d.id = u.document_id
                 and u.signed_at is null and (u.uploaded_at < $1 or d.status not in ('sent', 'partially_signed'))
               returning u.field_id, u.sha256
             ), emptied as (
               update document_fields f set value = null from removed r where f.id = r.field_id
             )
             select sha256 from removed`,
      values: [before, documents.map(({ id }) => id)],
    });
    await release(world, tx, removed);
    return removed.length;
  });
}

async function release(world: World, tx: Tx, files: readonly { sha256: Buffer }[]): Promise<void> {
  if (files.length === 0) return;
  await releaseFiles(
    tx,
    world,
    files.map(({ sha256 }) => sha256),
  );
}
