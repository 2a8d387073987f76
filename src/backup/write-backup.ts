import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { fileKey } from '../documents/stored-files.ts';
import { OperatorError, Refusal } from '../errors.ts';
import type { FileStore } from '../platform/files.ts';
import { FileStoreError } from '../platform/files-error.ts';
import { makeDirectory } from '../platform/make-directory.ts';
import { type Manifest, manifestName } from './manifest.ts';
import { saveSecrets, secretKeySha256 } from './secrets.ts';
import { listTables, type Table } from './tables.ts';

export interface BackupSource {
  databaseUrl: string;
  dataDir: string;
  files: FileStore;
  secretKey: Buffer;
  now: Date;
}

/**
 * Writes everything the service needs to go on elsewhere into a new or empty directory, while it runs: the tables as of
 * one moment, the files they name, keys and certificates. Throws a `Refusal` for a directory that holds anything. A file
 * that the store has lost or can't read does not cost the rest its backup: the manifest names it. Throws a
 * `FileStoreError` when the whole store is unavailable.
 */
export async function writeBackup(source: BackupSource, directory: string): Promise<Manifest> {
  await makeEmpty(directory);
  const client = new pg.Client({ connectionString: source.databaseUrl, application_name: 'countersign backup' });
  client.on('error', () => {}); // the statement under way fails with it
  await client.connect().catch((cause) => {
    throw new OperatorError(`the database cannot be reached: ${cause.message}`, { cause });
  });
  try {
    // The server waits while the file of a table is written to the disk.
    await client.query(
      'begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0',
    );
    const migrations = await client.query('select version, name, sha256 from schema_migrations order by version');
    const tables = await saveTables(client, join(directory, 'tables'));
    await saveJobs(client, join(directory, 'jobs.json'));
    const keys = await listFileKeys(client);
    await client.query('commit');
    const files = await saveFiles(source.files, keys, join(directory, 'files'));
    await saveSecrets(source.dataDir, join(directory, 'secrets'));
    const manifest: Manifest = {
      format: 1,
      created_at: source.now.toISOString(),
      migrations: migrations.rows,
      tables,
      files,
      secret_key_sha256: secretKeySha256(source.secretKey),
    };
    await writeDurably(join(directory, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  } finally {
    await client.end();
  }
}

async function makeEmpty(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, 0o700, false);
    if ((await readdir(directory)).length === 0) return;
  } catch (error) {
    throw new Refusal(`${directory} cannot be made: ${(error as Error).message}`);
  }
  throw new Refusal(`${directory} is not empty: each backup gets a directory of its own`);
}

async function saveTables(client: pg.Client, directory: string): Promise<Manifest['tables']> {
  await mkdir(directory);
  const saved: Manifest['tables'] = [];
  for (const table of await listTables(client)) saved.push(await saveTable(client, table, join(directory, table.name)));
  return saved;
}

async function saveTable(
  client: pg.Client,
  { name, columns }: Table,
  path: string,
): Promise<Manifest['tables'][number]> {
  const copying = client.query(copyTo(`copy (select ${columns.join(', ')} from public.${name}) to stdout`));
  const { sha256 } = await saveStream(copying, path);
  return { name, columns, rows: copying.rowCount, sha256 };
}

/** The queue's own tables are its library's business: what they have yet to do is ours. */
async function saveJobs(client: pg.Client, path: string): Promise<void> {
  const { rows } = await client.query<{ data: object }>(
    `select data from jobs.job where state in ('created', 'retry', 'active') order by created_on`,
  );
  await writeDurably(path, JSON.stringify(rows.map(({ data }) => data)));
}

async function listFileKeys(client: pg.Client): Promise<string[]> {
  const { rows: sealed } = await client.query<{ key: string }>(
    'select distinct sealed_file as key from documents where sealed_file is not null',
  );
  const { rows: stored } = await client.query<{ hex: string }>(
    `select encode(sha256, 'hex') as hex from stored_files where reference_count > 0`,
  );
  return [...new Set([...sealed.map(({ key }) => key), ...stored.map(({ hex }) => fileKey(hex))])].sort();
}

/** After so many unreadable files in a row, the store is unavailable. After fewer at the end, it is asked. */
const unreadableInARowMax = 10;

async function saveFiles(store: FileStore, keys: string[], directory: string): Promise<Manifest['files']> {
  const files: Manifest['files'] = { count: 0, bytes: 0, missing: [] };
  let unreadableInARow = 0;
  let lastError: FileStoreError | null = null;
  let lastSaved: string | null = null;
  for (const key of keys) {
    const saved = await saveFile(store, key, join(directory, key));
    unreadableInARow = saved.kind === 'unreadable' ? unreadableInARow + 1 : 0;
    lastError = saved.kind === 'unreadable' ? saved.error : null;
    if (lastError !== null && unreadableInARow > unreadableInARowMax) throw lastError;
    if (saved.kind === 'saved') {
      files.count += 1;
      files.bytes += saved.bytes;
      lastSaved = key;
    } else {
      files.missing.push(key);
    }
  }
  if (lastError !== null && !(await answers(store, lastSaved))) throw lastError;
  return files;
}

/** No file has this key. */
const neverStored = fileKey('0'.repeat(64));

/** Whether the store can read a file that was saved from it. Without one: whether it can say that a file doesn't exist. */
async function answers(store: FileStore, saved: string | null): Promise<boolean> {
  try {
    const file = await store.get(saved ?? neverStored);
    if (file !== null) await finished(file.stream.resume());
    return true;
  } catch {
    return false;
  }
}

type SavedFile = { kind: 'saved'; bytes: number } | { kind: 'missing' } | { kind: 'unreadable'; error: FileStoreError };

const triesMax = 3;
const retryMs = 500;

/** Copies a stored file. Leaves no file at `path` unless all its bytes are there. */
async function saveFile(store: FileStore, key: string, path: string): Promise<SavedFile> {
  await mkdir(dirname(path), { recursive: true });
  for (let tries = 1; ; tries += 1) {
    try {
      const file = await store.get(key);
      if (file === null) return { kind: 'missing' };
      const { sha256 } = await saveStream(file.stream, path);
      if (fileKey(sha256) === key) return { kind: 'saved', bytes: file.sizeBytes };
      // Other bytes would make the backup look damaged.
      await rm(path);
      return { kind: 'missing' };
    } catch (error) {
      if (!(error instanceof FileStoreError)) throw error;
      await rm(path, { force: true });
      if (tries === triesMax) return { kind: 'unreadable', error };
      await sleep(retryMs);
    }
  }
}

/** To the disk, and what its bytes hash to. */
async function saveStream(stream: Readable, path: string): Promise<{ sha256: string }> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(stream, hashing, createWriteStream(path, { flush: true, flags: 'wx', mode: 0o600 }));
  return { sha256: hash.digest('hex') };
}

async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flush: true, flag: 'wx', mode: 0o600 });
  const directory = await open(dirname(path));
  await directory.sync().finally(() => directory.close());
}
