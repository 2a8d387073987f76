import { setTimeout as sleep } from 'node:timers/promises';
import type { FileStore } from '../platform/files.ts';
import { FileStoreError } from '../platform/files-error.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';

/**
 * The hash and size of a file in the store. Documents share files with the same content, and references are counted. First
 * `storeFile` stores the bytes outside a transaction, then `retainFile` adds a reference in one. Files without references are
 * removed: after an hour when they never had one, because the process that stored the file was killed, and after
 * RETAIN_REMOVED_FILES_DAYS when they had, so that a database that is restored to an earlier time finds its files.
 */
export interface FileContent {
  sha256: Buffer;
  bytes: number;
}

const unreferencedMsMax = 3_600_000;
/** After this time a removal counts as failed and starts again. */
const removalMsMax = 600_000;
const removalPolls = 40;
const removalPollMs = 250;
const removedAtOnceMax = 100;
/** In one run. The next one continues. */
const batchesMax = 1000;

/** Returns the key of a file in the file store. */
export function fileKey(sha256Hex: string): string {
  return `sha256/${sha256Hex.slice(0, 2)}/${sha256Hex.slice(2)}`;
}

/** Returns the SHA-256 (hex) in a key made by `fileKey`. */
export function sha256OfFileKey(key: string): string {
  const [, start = '', rest = ''] = key.split('/');
  return start + rest;
}

/**
 * Stores the complete temporary file at `path`. It is removed after an hour unless `retainFile` is called before. Throws a
 * `FileStoreError` if the store fails.
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

/** Adds a reference to a stored file. Throws a `FileStoreError` if the file is not in the store. */
export async function retainFile(tx: Tx, { sha256, bytes }: FileContent): Promise<void> {
  const retained = await tx.query({
    name: 'retain_file',
    text: `update stored_files set reference_count = reference_count + 1, unreferenced_at = null, released_at = null
           where sha256 = $1 and bytes = $2 and removal_began_at is null returning 1`,
    values: [sha256, bytes],
  });
  if (retained.length === 0) throw new FileStoreError(`the file ${fileKey(sha256.toString('hex'))} is not stored`);
}

/** Adds references to many files, one for each time that a file is in the list. Throws as `retainFile` does. */
export async function retainFiles(tx: Tx, contents: readonly FileContent[]): Promise<void> {
  const byHash = new Map<string, { sha256: Buffer; bytes: number; references: number }>();
  for (const { sha256, bytes } of contents) {
    const hex = sha256.toString('hex');
    byHash.set(hex, { sha256, bytes, references: (byHash.get(hex)?.references ?? 0) + 1 });
  }
  const files = [...byHash.values()].sort((a, b) => a.sha256.compare(b.sha256));
  const retained = await tx.query({
    name: 'retain_files',
    // Rows are locked in the order of their hashes, so that transactions that retain several files can't deadlock.
    text: `with wanted as (
             select * from unnest($1::bytea[], $2::bigint[], $3::int[]) as w (sha256, bytes, "references")
           ), locked as (
             select f.sha256 from stored_files f where f.sha256 = any ($1::bytea[]) order by f.sha256 for update
           )
           update stored_files f
           set reference_count = f.reference_count + w."references", unreferenced_at = null, released_at = null
           from wanted w join locked l on l.sha256 = w.sha256
           where f.sha256 = w.sha256 and f.bytes = w.bytes and f.removal_began_at is null returning 1`,
    values: [files.map((file) => file.sha256), files.map((file) => file.bytes), files.map((file) => file.references)],
  });
  if (retained.length !== files.length)
    throw new FileStoreError(`${files.length - retained.length} files are not stored`);
}

/**
 * Removes a reference from a stored file. A transaction that releases one file and retains another must do so in the order
 * of their hashes, to avoid deadlocks.
 */
export async function releaseFile(tx: Tx, world: World, sha256: Buffer): Promise<void> {
  await tx.query({
    name: 'release_file',
    text: `update stored_files set reference_count = reference_count - 1,
             unreferenced_at = case when reference_count = 1 then $2::timestamptz end,
             released_at = case when reference_count = 1 then $2::timestamptz end
           where sha256 = $1`,
    values: [sha256, world.clock.now()],
  });
}

/** Removes references from many files, one for each time that a file is in the list. */
export async function releaseFiles(tx: Tx, world: World, sha256s: readonly Buffer[]): Promise<void> {
  await tx.query({
    name: 'release_files',
    text: `with given as (
             select sha256, count(*)::int as n from unnest($1::bytea[]) as g (sha256) group by sha256
           ), locked as (
             select f.sha256, g.n from stored_files f join given g on g.sha256 = f.sha256 order by f.sha256 for update of f
           )
           update stored_files f set reference_count = reference_count - l.n,
             unreferenced_at = case when reference_count = l.n then $2::timestamptz end,
             released_at = case when reference_count = l.n then $2::timestamptz end
           from locked l where l.sha256 = f.sha256`,
    values: [sha256s, world.clock.now()],
  });
}

/**
 * Adds and removes references in one transaction. The files are locked in the order of their hashes first: transactions that swap
 * the same files can't deadlock. Throws as `retainFile` does.
 */
export async function changeReferences(
  world: World,
  tx: Tx,
  retained: readonly FileContent[],
  released: readonly Buffer[],
): Promise<void> {
  await lockFiles(tx, [...retained.map(({ sha256 }) => sha256), ...released]);
  await retainFiles(tx, retained);
  if (released.length > 0) await releaseFiles(tx, world, released);
}

/** Locks files in the order of their hashes, before references to several of them change. */
export async function lockFiles(tx: Tx, files: readonly Buffer[]): Promise<void> {
  await tx.query({
    name: 'lock_files',
    text: 'select from stored_files where sha256 = any ($1::bytea[]) order by sha256 for update',
    values: [files],
  });
}

/**
 * Hands files that no row counts, such as sealed PDFs, over to the removal of released files. Files that are in use keep
 * their references.
 */
export async function releaseUncounted(tx: Tx, world: World, contents: readonly FileContent[]): Promise<void> {
  await tx.query({
    name: 'release_uncounted',
    text: `insert into stored_files (sha256, bytes, created_at, unreferenced_at, released_at)
           select sha256, bytes, $3, $3, $3 from unnest($1::bytea[], $2::bigint[]) as g (sha256, bytes)
           on conflict (sha256) do update set released_at = $3
             where stored_files.reference_count = 0 and stored_files.removal_began_at is null`,
    values: [contents.map(({ sha256 }) => sha256), contents.map(({ bytes }) => bytes), world.clock.now()],
  });
}

/**
 * Keeps a file that `storeFile` stored and that no row counts: from this transaction on, the document names it as its sealed PDF.
 * Throws a `FileStoreError` if the file is not in the store, or is being removed.
 */
export async function keepUncounted(tx: Tx, { sha256, bytes }: FileContent): Promise<void> {
  const kept = await tx.query({
    name: 'keep_uncounted',
    text: `with kept as (
             select sha256 from stored_files where sha256 = $1 and bytes = $2 and removal_began_at is null for update
           ), deleted as (
             delete from stored_files where sha256 in (select sha256 from kept) and reference_count = 0
           )
           select 1 from kept`,
    values: [sha256, bytes],
  });
  if (kept.length === 0) throw new FileStoreError(`the file ${fileKey(sha256.toString('hex'))} is not stored`);
}

/**
 * Removes files without references, from the store and then from the table: those that never had one after an hour, the
 * others after `graceDays`. `stopping` ends the run after the current batch. Returns how many. Throws the first failure of the store,
 * after the other files of its batch.
 */
export async function removeUnreferencedFiles(
  world: World,
  db: Database,
  files: FileStore,
  graceDays: number,
  stopping?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < batchesMax && !stopping?.aborted; batch += 1) {
    const began = world.clock.now();
    const removals = await beginRemoval(db, began, graceDays * 86_400_000);
    const failures: unknown[] = [];
    for (const { sha256, isSealed } of removals) {
      // Another run may take over what has not ended after `removalMsMax`, and the same bytes may then be stored again.
      if (stopping?.aborted || world.clock.now().getTime() - began.getTime() > removalMsMax / 2) break;
      try {
        if (!isSealed) await files.remove(fileKey(sha256.toString('hex')));
        await endRemoval(db, sha256, began);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    removed += removals.length;
    if (removals.length < removedAtOnceMax) break;
  }
  return removed;
}

async function endRemoval(db: Database, sha256: Buffer, began: Date): Promise<void> {
  await db.query({
    name: 'end_removal',
    text: 'delete from stored_files where sha256 = $1 and removal_began_at = $2',
    values: [sha256, began],
  });
}

/** Inserts the row of a file, or extends its hour. Waits while the bytes of the same content are being removed. */
async function registerFile(world: World, db: Queryable, { sha256, bytes }: FileContent): Promise<void> {
  for (let poll = 0; poll < removalPolls; poll += 1) {
    const registered = await db.query({
      name: 'register_file',
      text: `insert into stored_files (sha256, bytes, created_at, unreferenced_at) values ($1, $2, $3, $3)
             on conflict (sha256) do update
               set unreferenced_at = case when stored_files.reference_count = 0 then excluded.unreferenced_at end
               where stored_files.removal_began_at is null
             returning 1`,
      values: [sha256, bytes, world.clock.now()],
    });
    if (registered.length > 0) return;
    await sleep(removalPollMs);
  }
  throw new FileStoreError(`the file ${fileKey(sha256.toString('hex'))} is being removed: try again`);
}

/** Marks files for removal. `isSealed`: the same bytes are the sealed PDF of a document, so they stay in the store. */
function beginRemoval(db: Database, now: Date, graceMs: number): Promise<Array<{ sha256: Buffer; isSealed: boolean }>> {
  return db.query({
    name: 'begin_removal',
    text: `update stored_files set removal_began_at = $1
           where sha256 in (
             select sha256 from stored_files
             where reference_count = 0 and unreferenced_at < $2 and (removal_began_at is null or removal_began_at < $3)
               and (released_at is null or released_at < $4)
             order by unreferenced_at limit ${removedAtOnceMax} for update skip locked
           )
           returning sha256, exists (
             select from documents
             where sealed_file = 'sha256/' || left(encode(sha256, 'hex'), 2) || '/' || substr(encode(sha256, 'hex'), 3)
           ) as "isSealed"`,
    values: [
      now,
      new Date(now.getTime() - unreferencedMsMax),
      new Date(now.getTime() - removalMsMax),
      new Date(now.getTime() - graceMs),
    ],
  });
}
