import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { fileKey } from '../documents/stored-files.ts';
import { OperatorError, Refusal } from '../errors.ts';
import { migrateQueue, type RunningQueue, startQueue } from '../jobs/job-queue.ts';
import type { Job } from '../messages/job-queue.ts';
import type { FileStore } from '../platform/files.ts';
import { FileStoreError } from '../platform/files-error.ts';
import type { Log } from '../platform/log.ts';
import { makeDirectory } from '../platform/make-directory.ts';
import { readSecretKey } from '../platform/secret-key.ts';
import type { Tx } from '../postgres/database.ts';
import { migrate, predictRepairs } from '../postgres/migrate.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { restoreSecrets, secretKeySha256 } from './secrets.ts';
import { listTables } from './tables.ts';

export interface RestoreTarget {
  databaseUrl: string;
  dataDir: string;
  files: FileStore;
  /** Null: it comes from the backup. */
  secretKey: Buffer | null;
  log: Log;
}

/**
 * Makes a service of a backup: in an empty database (or one that only was migrated, to the schema of the backup) and a
 * DATA_DIR without other keys.
 * Files come first, the tables in one transaction, so that a restore that was cut off can be run again. Throws a
 * `Refusal` for anything else, and for a backup that was damaged.
 */
export async function restoreBackup(target: RestoreTarget, directory: string): Promise<Manifest> {
  const manifest = await restoreAtItsSchema(target, directory);
  await migrate(target.databaseUrl);
  return manifest;
}

/**
 * Like `restoreBackup`, but leaves the database at the schema that the backup was made with. A backup of migrations that
 * were edited since is restored as `migrate` would have repaired it.
 */
export async function restoreAtItsSchema(target: RestoreTarget, directory: string): Promise<Manifest> {
  const manifest = await readManifest(directory);
  await assertSameKey(target, manifest, directory);
  await assertEmpty(target.databaseUrl);
  await restoreSecrets(join(directory, 'secrets'), target.dataDir);
  await restoreFiles(target, manifest, directory);
  const { migrations, emptied } = await predictRepairs(manifest.migrations);
  await migrate(target.databaseUrl, { upTo: migrations.at(-1)?.version });
  await assertSameSchema(target.databaseUrl, migrations);
  await migrateQueue(target.databaseUrl, target.log);
  const tables = manifest.tables.filter(({ name }) => !emptied.includes(name));
  await restoreRows(target, { tables, emptied }, directory);
  return manifest;
}

/** Refuses a key other than the backup's, because nothing encrypted could be read with it. */
async function assertSameKey(
  { secretKey, dataDir }: RestoreTarget,
  manifest: Manifest,
  directory: string,
): Promise<void> {
  const key = secretKey ?? (await readSecretKey(join(directory, 'secrets'))) ?? (await readSecretKey(dataDir));
  if (key === null) {
    throw new Refusal(
      'the backup has no secret key, because SECRET_KEY was set where it was made: set it to the same value',
    );
  }
  if (secretKeySha256(key) === manifest.secret_key_sha256) return;
  const named = secretKey === null ? 'the secret key found' : 'SECRET_KEY';
  throw new Refusal(`${named} is not the one this backup was made with: what it encrypted could not be read`);
}

async function assertEmpty(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(`select to_regclass('public.accounts') is not null as exists`);
    if (!rows[0].exists) return;
    const { rows: accounts } = await client.query('select count(*)::int as count from accounts');
    if (accounts[0].count === 0) return;
    throw new Refusal(`the database holds accounts already (${accounts[0].count}): restore into an empty one`);
  });
}

async function listKeys(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

async function sha256Of(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

function damaged(path: string): Refusal {
  return new Refusal(`${path} is not as it was saved: the backup is damaged`);
}

/** Each by way of a temporary copy, which the store may take. */
async function restoreFiles({ files, dataDir }: RestoreTarget, manifest: Manifest, directory: string): Promise<void> {
  const keys = await listKeys(join(directory, 'files'));
  if (keys.length !== manifest.files.count) {
    throw new Refusal(`${join(directory, 'files')} holds ${keys.length} files, not ${manifest.files.count}`);
  }
  const temporary = join(dataDir, 'restoring.tmp');
  await makeDirectory(dataDir, 0o700);
  try {
    for (const key of keys) {
      if (await isStored(files, key)) continue;
      await copyFile(join(directory, 'files', key), temporary);
      if (fileKey(await sha256Of(createReadStream(temporary))) !== key) throw damaged(join(directory, 'files', key));
      await files.putFile(key, temporary);
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Tells whether the store has the file with its own bytes. One that is damaged or unreadable is stored again. */
async function isStored(files: FileStore, key: string): Promise<boolean> {
  if (!(await files.has(key))) return false;
  try {
    const stored = await files.get(key);
    return stored !== null && fileKey(await sha256Of(stored.stream)) === key;
  } catch (error) {
    if (error instanceof FileStoreError) return false;
    throw error;
  }
}

interface Rows {
  tables: Manifest['tables'];
  /** Tables that stay empty. */
  emptied: string[];
}

async function restoreRows(target: RestoreTarget, rows: Rows, directory: string): Promise<void> {
  const jobs: Job[] = JSON.parse(await readFile(join(directory, 'jobs.json'), 'utf8'));
  const queue = await startQueue(target.databaseUrl, target.log, false);
  try {
    await withClient(target.databaseUrl, async (client) => {
      await client.query('begin');
      await assertSameTables(client, rows);
      for (const table of rows.tables) await restoreTable(client, table, join(directory, 'tables', table.name));
      await enqueue(client, queue, jobs);
      await client.query('commit');
      // Statistics are not in a backup, and plans want them.
      await client.query('analyze');
    });
  } finally {
    await queue.stop();
  }
}

/** A newer version's backup does not fit, nor does one of migrations that somebody else edited. */
async function assertSameSchema(databaseUrl: string, migrations: Manifest['migrations']): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('select version, name, sha256 from schema_migrations order by version');
    if (isDeepStrictEqual(rows, migrations)) return;
    const newest = migrations.at(-1)?.name;
    const present = rows.at(-1);
    if (present?.version > (migrations.at(-1)?.version ?? 0)) {
      throw new Refusal(
        `the database was migrated to ${present.name} already, and the backup is of ${newest}: restore it into an empty one`,
      );
    }
    throw new Refusal(
      `the backup is of another schema (${newest}) than this version can make: restore it with its own`,
    );
  });
}

/** Their names go into statements, and so must be the database's own. */
async function assertSameTables(client: pg.Client, { tables, emptied }: Rows): Promise<void> {
  const filled = (await listTables(client)).filter(({ name }) => !emptied.includes(name));
  const present = filled.map(({ name, columns }) => ({ name, columns }));
  const saved = tables.map(({ name, columns }) => ({ name, columns }));
  if (!isDeepStrictEqual(saved, present))
    throw new Refusal('the tables of the backup are not those of its schema: was it made with this product?');
}

async function restoreTable(client: pg.Client, table: Manifest['tables'][number], path: string): Promise<void> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const copying = client.query(copyFrom(`copy public.${table.name} (${table.columns.join(', ')}) from stdin`));
  await pipeline(createReadStream(path), hashing, copying).catch((cause) => {
    throw new OperatorError(`${path} cannot be restored: ${cause.message}`, { cause });
  });
  if (hash.digest('hex') !== table.sha256) throw damaged(path);
}

/** In the same transaction as the rows they belong to. */
async function enqueue(client: pg.Client, queue: RunningQueue, jobs: Job[]): Promise<void> {
  const tx: Tx = {
    inTransaction: true,
    query: async ({ text, values }) => (await client.query(text, values)).rows,
    notify: () => {},
  };
  if (jobs.length > 0) await queue.enqueue(tx, jobs);
}

async function withClient(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'countersign restore' });
  client.on('error', () => {}); // the statement under way fails with it
  await client.connect().catch((cause) => {
    throw new OperatorError(`the database cannot be reached: ${cause.message}`, { cause });
  });
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
