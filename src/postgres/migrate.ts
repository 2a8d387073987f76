import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../errors.ts';
import { sqlState } from './database.ts';
import { explainRefusal } from './explain-refusal.ts';
import { fillCanonicalEmails, type StepOptions } from './fill-canonical-emails.ts';
import { assertOnlyOurs, readForeignTables } from './foreign-tables.ts';
import { knownEdits, renumbered } from './known-edits.ts';

interface Migration {
  version: number;
  name: string;
  sql: string;
  sha256: string;
}

export interface MigrateOptions extends StepOptions {
  /** Last version to apply. Default: all. */
  upTo?: number | undefined;
  /** Closes the connection, also while another process migrates. The file under way is rolled back. */
  signal?: AbortSignal | undefined;
}

/** Steps of migrations that SQL cannot do. Each runs after the file of its name, in the same transaction. */
const steps: Readonly<Record<string, (client: pg.Client, options: StepOptions) => Promise<void>>> = {
  '0027_canonical_email.sql': fillCanonicalEmails,
};

const folder = new URL('../../migrations/', import.meta.url);

/** A row of `schema_migrations`. */
interface AppliedMigration {
  version: number;
  name: string;
  sha256: string;
}

/** Advisory lock, so that processes that start at once apply each file once. */
const migrationLock = 4_917_203_861;

const oldestServer = 150_000;

/**
 * Maximum wait for a lock. Statements of running processes wait behind it. PostgreSQL interrupts its own vacuum for us only
 * after `deadlock_timeout`, which is a second.
 */
const lockMsMax = 2000;
/** Time for the statements that waited, before the next attempt. */
const pauseMs = 5000;
const attemptsPerNotice = 10;
/** PostgreSQL's codes for: lock not available in time, deadlock. */
const lockedStates = ['55P03', '40P01'];

/**
 * Applies the pending files of `migrations/`, each in its own transaction, forward only. Returns the names applied.
 * While other connections have locks that a file needs, it sends a notice and tries again, without a limit.
 * Throws an `OperatorError` if the server is unreachable, too old or refuses changes, or the database is newer than this code or belongs to
 * another application. The same for a file that differs from the applied one (except `knownEdits`, which are repaired)
 * and for rows that a code step cannot convert.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const client = await connect(databaseUrl);
  const interrupt = () => void client.end().catch(() => {});
  options.signal?.addEventListener('abort', interrupt);
  try {
    options.signal?.throwIfAborted();
    await assertServer(client);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    assertOnlyOurs((await client.query<{ name: string }>(readForeignTables)).rows);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null
    )`);
    const migrations = await readMigrations();
    return await applyPending(client, migrations, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw explainRefusal(error);
  } finally {
    options.signal?.removeEventListener('abort', interrupt);
    await client.end();
  }
}

const connectMsMax = 5000;

/** Connects, and turns a failure into an error for the operator. This is the first use of the database at startup. */
async function connect(databaseUrl: string): Promise<pg.Client> {
  try {
    // Reads the certificates that the address names, which may be missing.
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'countersign migrate',
      connectionTimeoutMillis: connectMsMax,
      options: `-c ${sessionMark}=own`,
    });
    client.on('error', () => {}); // the running statement fails with it
    await client.connect();
    return client;
  } catch (cause) {
    // Each address of a host name has its own error.
    const [first] = cause instanceof AggregateError ? cause.errors : [cause];
    if (/unsupported startup parameter/.test(first.message)) throw new OperatorError(leadsThroughPooler, { cause });
    throw new OperatorError(`the database cannot be reached: ${first.message}`, { cause });
  }
}

/** A setting of the session. A pooler refuses it, or is told to ignore it. */
const sessionMark = 'countersign.session';
const leadsThroughPooler =
  'the database is reached through a pooler such as PgBouncer: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, and DATABASE_URL to that of the pooler';

async function assertServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as version, current_setting($1, true) as session",
    [sessionMark],
  );
  if (rows[0].session !== 'own') throw new OperatorError(leadsThroughPooler);
  if (rows[0].version < oldestServer) {
    throw new OperatorError(`the database server is too old (${rows[0].version}): PostgreSQL 15 or newer is needed`);
  }
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { version: Number(name.slice(0, 4)), name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function applyPending(client: pg.Client, migrations: Migration[], options: MigrateOptions): Promise<string[]> {
  const { upTo = Number.POSITIVE_INFINITY } = options;
  await client.query('update schema_migrations set version = $2, name = $3 where version = $1', [
    renumbered.from,
    renumbered.to,
    renumbered.name,
  ]);
  const { rows } = await client.query<AppliedMigration>('select version, name, sha256 from schema_migrations');
  assertKnown(migrations, rows);
  const edited = findEdited(migrations, rows);
  if (edited.unknown !== null) throw new OperatorError(edited.unknown);
  for (const { migration, repair } of edited.repairable)
    await whenUnlocked(client, migration, options, () => repairMigration(client, migration, repair));

  const applied = new Set(rows.map(({ version }) => version));
  const pending = migrations.filter(({ version }) => !applied.has(version) && version <= upTo);
  for (const migration of pending)
    await whenUnlocked(client, migration, options, () => apply(client, migration, options));
  return pending.map(({ name }) => name);
}

/**
 * Finds an applied migration that differs from this version's file. Returns null if all match or `migrate` can repair
 * them. Otherwise returns a sentence that names the first one and says what to do.
 */
export async function explainEditedMigration(applied: AppliedMigration[]): Promise<string | null> {
  return findEdited(await readMigrations(), applied).unknown;
}

/**
 * Predicts the record of `applied` migrations after `migrate` has made its repairs, and the tables that these empty.
 * Migrations that it cannot repair stay as they are.
 */
export async function predictRepairs(
  applied: AppliedMigration[],
): Promise<{ migrations: AppliedMigration[]; emptied: string[] }> {
  const numbered = applied
    .map((row) => (row.version === renumbered.from ? { ...row, version: renumbered.to, name: renumbered.name } : row))
    .sort((a, b) => a.version - b.version);
  const { repairable } = findEdited(await readMigrations(), numbered);
  const repaired = new Map(repairable.map(({ migration }) => [migration.version, migration.sha256]));
  return {
    migrations: numbered.map((row) => ({ ...row, sha256: repaired.get(row.version) ?? row.sha256 })),
    emptied: repairable.flatMap(({ emptied }) => emptied ?? []),
  };
}

interface Edited {
  repairable: Array<{ migration: Migration; repair: string; emptied: string | undefined }>;
  unknown: string | null;
}

function findEdited(migrations: Migration[], applied: AppliedMigration[]): Edited {
  const edited: Edited = { repairable: [], unknown: null };
  const byVersion = new Map(applied.map((row) => [row.version, row]));
  for (const migration of migrations) {
    const row = byVersion.get(migration.version);
    if (row === undefined || row.sha256 === migration.sha256) continue;
    const known = knownEdits.find(({ name, sha256 }) => name === migration.name && sha256 === row.sha256);
    if (known !== undefined) edited.repairable.push({ migration, repair: known.repair, emptied: known.emptied });
    else edited.unknown ??= explainEdit(migration.name, row);
  }
  return edited;
}

function explainEdit(name: string, { name: appliedName, sha256 }: AppliedMigration): string {
  const differs = name === appliedName ? name : `${name} (applied as ${appliedName})`;
  return `migration ${differs} is not the file that was applied to this database (SHA-256 ${sha256.slice(0, 12)}…): install an unmodified release of Countersign, or the version that created this database; see docs/operate/upgrade.md`;
}

function assertKnown(migrations: Migration[], applied: Array<{ version: number; name: string }>): void {
  const known = new Set(migrations.map((migration) => migration.version));
  const unknown = applied.find((row) => !known.has(row.version));
  if (unknown !== undefined) {
    throw new OperatorError(`this database is newer than this version of Countersign (it has ${unknown.name})`);
  }
}

async function apply(client: pg.Client, migration: Migration, options: StepOptions): Promise<void> {
  const { version, name, sha256, sql } = migration;
  await client.query(sql);
  await steps[name]?.(client, options);
  await client.query('insert into schema_migrations (version, name, sha256, applied_at) values ($1, $2, $3, $4)', [
    version,
    name,
    sha256,
    new Date(),
  ]);
}

async function repairMigration(client: pg.Client, { version, sha256 }: Migration, repair: string): Promise<void> {
  await client.query(repair);
  await client.query('update schema_migrations set sha256 = $2 where version = $1', [version, sha256]);
}

/** Runs `work` in a transaction. Starts again while other connections have locks that it needs. */
async function whenUnlocked(
  client: pg.Client,
  { name }: Migration,
  { onNotice, signal }: MigrateOptions,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await inTransaction(client, work);
    } catch (error) {
      if (!lockedStates.includes(sqlState(error) ?? '')) throw error;
      if (attempt % attemptsPerNotice === 0) onNotice?.(explainLock(name));
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

function explainLock(name: string): string {
  return `migration ${name} waits for other connections to the database: stop the other processes of Countersign, or wait until the backup or data export has ended`;
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockMsMax}`);
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
