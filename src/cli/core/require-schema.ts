import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../errors.ts';
import type { Log } from '../../platform/log.ts';
import { type Queryable, sqlState } from '../../postgres/database.ts';
import { assertOnlyOurs, readForeignTables } from '../../postgres/foreign-tables.ts';
import { applyMigrations } from '../server/apply-migrations.ts';

/** How a database compares with this version's migrations. `empty`: none was ever applied, to a database with or without tables. */
export type SchemaState = 'empty' | 'behind' | 'current' | 'ahead';
/** What happens to an empty database. */
export type WhenEmpty = 'migrate' | 'refuse';

/** While another process migrates, the database is behind. For so long it may apply nothing. */
const patienceMs = 3000;
const pollMs = 100;

/**
 * Migrates an empty database: a command may come before the first start. Leaves an older schema alone, because the running
 * version may not know the new one. Throws an `OperatorError` that says what to do.
 */
export async function requireSchema(db: Queryable, url: string, log: Log, empty: WhenEmpty): Promise<void> {
  const state = await readSettledState(db);
  if (state === 'empty') assertOnlyOurs(await db.query(readForeignTables));
  if (state === 'empty' && empty === 'refuse')
    throw new OperatorError('the database is empty: set DATABASE_URL as for the service');
  if (state === 'empty') await applyMigrations(url, log);
  if (state === 'behind') throw new OperatorError('the database is older than this version: run countersign migrate');
  if (state === 'ahead') throw new OperatorError('the database is newer than this version of Countersign');
}

/** Waits while another process applies migrations. */
async function readSettledState(db: Queryable): Promise<SchemaState> {
  let applied = await appliedVersion(db);
  let state = compare(applied, await newestMigration());
  for (let leftMs = patienceMs; state === 'behind' && leftMs > 0; leftMs -= pollMs) {
    await sleep(pollMs);
    const before = applied;
    applied = await appliedVersion(db);
    state = compare(applied, await newestMigration());
    if (applied !== before) leftMs = patienceMs;
  }
  return state;
}

export async function readSchemaState(db: Queryable): Promise<SchemaState> {
  return compare(await appliedVersion(db), await newestMigration());
}

function compare(applied: number | null, newest: number): SchemaState {
  if (applied === null) return 'empty';
  if (applied === newest) return 'current';
  return applied < newest ? 'behind' : 'ahead';
}

async function newestMigration(): Promise<number> {
  const names = await readdir(new URL('../../../migrations/', import.meta.url));
  return Math.max(...names.filter((name) => /^\d{4}_\w+\.sql$/.test(name)).map((name) => Number(name.slice(0, 4))));
}

/** PostgreSQL's codes for an unknown table and column. Other applications have a `schema_migrations` without hashes. */
const unknownNames = ['42P01', '42703'];

async function appliedVersion(db: Queryable): Promise<number | null> {
  try {
    const rows = await db.query<{ version: number }>({
      name: 'applied_version',
      text: `select version from schema_migrations where sha256 is not null order by version desc limit 1`,
      values: [],
    });
    return rows[0]?.version ?? null;
  } catch (error) {
    if (unknownNames.includes(sqlState(error) ?? '')) return null;
    throw error;
  }
}
