import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { OperatorError } from '../errors.ts';

interface Migration {
  version: number;
  name: string;
  sql: string;
  sha256: string;
}

const folder = new URL('../../migrations/', import.meta.url);

/** Held while migrating, so that several processes starting at once apply each file once. */
const migrationLock = 4_917_203_861;

const oldestServer = 150_000;

/**
 * Applies the files of `migrations/` that this database has not seen, each in a transaction of its own, forward only.
 * Returns the names applied. Throws an `OperatorError` for a server that is too old, a database newer than this code,
 * a file that was edited after it had been applied, or a server that cannot be reached. `upTo`: the last to apply.
 */
export async function migrate(databaseUrl: string, upTo = Number.POSITIVE_INFINITY): Promise<string[]> {
  const client = await connect(databaseUrl);
  try {
    await assertServerVersion(client);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null
    )`);
    const migrations = await readMigrations();
    return await applyPending(client, migrations, upTo);
  } finally {
    await client.end();
  }
}

const connectMsMax = 5000;

/** The first to need the database says what is wrong with it: nobody there, no answer, or no such user or database. */
async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'countersign migrate',
    connectionTimeoutMillis: connectMsMax,
  });
  client.on('error', () => {}); // the statement under way fails with it
  try {
    await client.connect();
    return client;
  } catch (cause) {
    // Of a name with several addresses each has its own error.
    const [first] = cause instanceof AggregateError ? cause.errors : [cause];
    throw new OperatorError(`the database cannot be reached: ${first.message}`, { cause });
  }
}

async function assertServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int as version");
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

async function applyPending(client: pg.Client, migrations: Migration[], upTo: number): Promise<string[]> {
  const { rows } = await client.query<{ version: number; name: string; sha256: string }>(
    'select version, name, sha256 from schema_migrations order by version',
  );
  const applied = new Map(rows.map((row) => [row.version, row]));
  assertKnown(migrations, rows);

  const names: string[] = [];
  for (const migration of migrations) {
    const earlier = applied.get(migration.version);
    if (earlier === undefined && migration.version <= upTo) {
      await apply(client, migration);
      names.push(migration.name);
    } else if (earlier !== undefined && earlier.sha256 !== migration.sha256) {
      throw new OperatorError(`migration ${migration.name} was changed after it had been applied to this database`);
    }
  }
  return names;
}

function assertKnown(migrations: Migration[], applied: Array<{ version: number; name: string }>): void {
  const known = new Set(migrations.map((migration) => migration.version));
  const unknown = applied.find((row) => !known.has(row.version));
  if (unknown !== undefined) {
    throw new OperatorError(`this database is newer than this version of Countersign (it has ${unknown.name})`);
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into schema_migrations (version, name, sha256, applied_at) values ($1, $2, $3, $4)', [
      migration.version,
      migration.name,
      migration.sha256,
      new Date(),
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
