import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import type { FileStore } from '../world/files.ts';
import { FileStoreError } from '../world/files-error.ts';
import type { World } from '../world/world.ts';

/**
 * The files that documents refer to, one for each content. First its bytes are stored (`storeFile`, no transaction
 * open), then a transaction refers to it (`retainFile`). What nothing has referred to for an hour is removed: by then a
 * process that stored it has been killed, or its document was given another file.
 */
export interface FileContent {
  sha256: Buffer;
  bytes: number;
}

const unreferencedMsMax = 3_600_000;
/** A removal that takes longer has died with its process, and is begun anew. */
const removalMsMax = 600_000;
const removalPolls = 40;
const removalPollMs = 250;
const removedAtOnceMax = 100;

export function fileKey(sha256Hex: string): string {
  return `sha256/${sha256Hex.slice(0, 2)}/${sha256Hex.slice(2)}`;
}

/** The SHA-256 that a key of `fileKey` stands for, in hex. */
export function sha256OfFileKey(key: string): string {
  const [, start = '', rest = ''] = key.split('/');
  return start + rest;
}

/**
 * Takes the finished temporary file at `path` into the store, where it stays for an hour unless it is kept by then.
 * Throws a `FileStoreError` when the store fails.
 */
export async function storeFile(
  world: World,
  db: Queryable,
  files: FileStore,
  content: FileContent,
  path: string,
): Promise<void> {
  await registerFile(world, db, content);
  await files.putFile(fileKey(content.sha256.toString('hex')), path);
}

/** Refers to a stored file once more. Throws a `FileStoreError` for one that was not stored within the hour. */
export async function retainFile(tx: Tx, { sha256, bytes }: FileContent): Promise<void> {
  const kept = await tx.query({
    name: 'retain_file',
    text: `update stored_files set reference_count = reference_count + 1, unreferenced_at = null
           where sha256 = $1 and bytes = $2 and removal_began_at is null returning 1`,
    values: [sha256, bytes],
  });
  if (kept.length === 0) throw new FileStoreError(`the file ${fileKey(sha256.toString('hex'))} is not stored`);
}

/** The same for many at once, each as often as it is named. */
export async function retainFiles(tx: Tx, contents: readonly FileContent[]): Promise<void> {
  const named = new Map<string, { sha256: Buffer; bytes: number; references: number }>();
  for (const { sha256, bytes } of contents) {
    const hex = sha256.toString('hex');
    named.set(hex, { sha256, bytes, references: (named.get(hex)?.references ?? 0) + 1 });
  }
  const files = [...named.values()].sort((a, b) => a.sha256.compare(b.sha256));
  const kept = await tx.query({
    name: 'retain_files',
    // Locked in the order of their hashes, as by everybody who keeps more than one.
    text: `with wanted as (
             select * from unnest($1::bytea[], $2::bigint[], $3::int[]) as w (sha256, bytes, "references")
           ), locked as (
             select f.sha256 from stored_files f where f.sha256 = any ($1::bytea[]) order by f.sha256 for update
           )
           update stored_files f set reference_count = f.reference_count + w."references", unreferenced_at = null
           from wanted w join locked l on l.sha256 = w.sha256
           where f.sha256 = w.sha256 and f.bytes = w.bytes and f.removal_began_at is null returning 1`,
    values: [files.map((file) => file.sha256), files.map((file) => file.bytes), files.map((file) => file.references)],
  });
  if (kept.length !== files.length) throw new FileStoreError(`${files.length - kept.length} files are not stored`);
}

/** The opposite of `retainFile`. Whoever releases one file and keeps another does so in the order of their hashes. */
export async function releaseFile(tx: Tx, world: World, sha256: Buffer): Promise<void> {
  await tx.query({
    name: 'release_file',
    text: `update stored_files set reference_count = reference_count - 1,
             unreferenced_at = case when reference_count = 1 then $2::timestamptz end
           where sha256 = $1`,
    values: [sha256, world.clock.now()],
  });
}

/** Removes what nothing has referred to for an hour, from the store and then from the table. Returns how many. */
export async function removeUnreferencedFiles(world: World, db: Database, files: FileStore): Promise<number> {
  const began = world.clock.now();
  const doomed = await beginRemoval(db, began);
  for (const { sha256, isSealed } of doomed) {
    if (!isSealed) await files.remove(fileKey(sha256.toString('hex')));
    await db.query({
      name: 'end_removal',
      text: 'delete from stored_files where sha256 = $1 and removal_began_at = $2',
      values: [sha256, began],
    });
  }
  return doomed.length;
}

/** Makes the row, or renews its hour. While its bytes are being removed nobody can count on them: that is waited for. */
async function registerFile(world: World, db: Queryable, { sha256, bytes }: FileContent): Promise<void> {
  for (let poll = 0; poll < removalPolls; poll += 1) {
    const announced = await db.query({
      name: 'register_file',
      text: `insert into stored_files (sha256, bytes, created_at, unreferenced_at) values ($1, $2, $3, $3)
             on conflict (sha256) do update
               set unreferenced_at = case when stored_files.reference_count = 0 then excluded.unreferenced_at end
               where stored_files.removal_began_at is null
             returning 1`,
      values: [sha256, bytes, world.clock.now()],
    });
    if (announced.length > 0) return;
    await sleep(removalPollMs);
  }
  throw new FileStoreError(`the file ${fileKey(sha256.toString('hex'))} is being removed: try again`);
}

/** A sealed PDF that had been attached to another document keeps its bytes: they are its document's. */
function beginRemoval(db: Database, now: Date): Promise<Array<{ sha256: Buffer; isSealed: boolean }>> {
  return db.query({
    name: 'begin_removal',
    text: `update stored_files set removal_began_at = $1
           where sha256 in (
             select sha256 from stored_files
             where reference_count = 0 and unreferenced_at < $2 and (removal_began_at is null or removal_began_at < $3)
             order by unreferenced_at limit ${removedAtOnceMax} for update skip locked
           )
           returning sha256, exists (
             select from documents
             where sealed_file = 'sha256/' || left(encode(sha256, 'hex'), 2) || '/' || substr(encode(sha256, 'hex'), 3)
           ) as "isSealed"`,
    values: [now, new Date(now.getTime() - unreferencedMsMax), new Date(now.getTime() - removalMsMax)],
  });
}
