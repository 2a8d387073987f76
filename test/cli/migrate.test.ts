import { expect, inject, onTestFinished, test } from 'vitest';
import { execute as sql } from '../support/embedded.ts';
import { databaseUrl } from '../support/postgres.ts';
import { type Place, placeOn } from './countersign.ts';

let databases = 0;

/** A database that no migration has touched. */
async function emptyPlace(): Promise<Place> {
  const admin = inject('adminDatabaseUrl');
  const name = `empty_${process.pid}_${databases++}`;
  await sql(admin, `create database ${name} template template0`);
  onTestFinished(() => sql(admin, `drop database ${name} with (force)`).then(() => {}));
  return placeOn({ DATABASE_URL: databaseUrl(admin, name) });
}

test('migrate says what it applied, and then has nothing to do', async () => {
  const at = await emptyPlace();
  const { applied } = await at.json<{ applied: string[] }>('migrate');
  expect(applied[0]).toBe('0001_foundation.sql');
  expect(await at.json('migrate')).toEqual({ applied: [] });
  expect((await at.run('migrate')).stdout.toString()).toBe('nothing to do\n');
  const [queue] = await sql(at.databaseUrl as string, `select to_regclass('jobs.version') is not null as installed`);
  expect(queue).toEqual({ installed: true });
});

test('several commands that find an empty database fill it once', async () => {
  const at = await emptyPlace();
  await Promise.all(['one', 'two', 'three'].map((name) => at.json('account', 'create', '--name', name)));
  expect(await at.json('account', 'list')).toHaveLength(3);
});

test('a database that is behind is left to migrate', async () => {
  const at = await emptyPlace();
  await at.json('migrate');
  await sql(at.databaseUrl as string, 'delete from schema_migrations where version > 1');
  expect(await at.fails(1, 'account', 'list')).toBe('the database is older than this version: run countersign migrate');
});
