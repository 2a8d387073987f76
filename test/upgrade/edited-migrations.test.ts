import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { readConfig } from '../../src/config.ts';
import { migrateQueue } from '../../src/jobs/job-queue.ts';
import { createFileStore } from '../../src/platform/files.ts';
import { createLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { placeOn } from '../cli/countersign.ts';
import { execute as sql } from '../support/embedded.ts';
import { databaseUrl, freshDatabase } from '../support/postgres.ts';
import { readUpgradeFixtures } from './upgrade-fixture.ts';

const migrations = join(import.meta.dirname, '../../migrations');
const editedMigrations = join(import.meta.dirname, 'edited-migrations');

const log = createLog('silent');

let url: string;

beforeEach(async () => {
  url = await emptyDatabase();
});

test('no migration of a stored installation was edited since', () => {
  const fixtures = readUpgradeFixtures();
  expect(fixtures.length).toBeGreaterThan(0);
  for (const { name } of fixtures) {
    const archive = join(import.meta.dirname, `${name}.tar.gz`);
    const manifest = execFileSync('tar', ['-xzOf', archive, './manifest.json'], { encoding: 'utf8' });
    for (const migration of JSON.parse(manifest).migrations as Array<{ name: string; sha256: string }>) {
      const sha256 = createHash('sha256')
        .update(readFileSync(join(migrations, migration.name)))
        .digest('hex');
      expect(sha256, `${migration.name}: add a new migration instead of editing this one`).toBe(migration.sha256);
    }
  }
});

test.each([
  ['commit 8776b94', 3, ['0001_foundation.sql', '0003_redeliveries.sql']],
  [
    'the first form of each edited file',
    20,
    ['0001_foundation.sql', '0003_redeliveries.sql', '0013_usage.sql', '0020_import_outcomes.sql'],
  ],
  ['the second form of the request log', 20, ['0013_usage-later.sql']],
] as const)('a database of %s is repaired and upgraded', async (_name, last, older) => {
  await applyOld(last, older);
  await migrate(url);
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  expect(await schemaOf(url)).toEqual(await schemaOf(fresh.url));
  expect(await migrate(url)).toEqual([]);
});

const account = '01890000-0000-7000-8000-000000000001';

test.each([
  [
    'the first form of each edited file',
    ['0001_foundation.sql', '0003_redeliveries.sql', '0013_usage.sql', '0020_import_outcomes.sql'],
    `'${account}', 'req_1', 'GET', '/documents', 200, null, 900`,
  ],
  ['the second form of the request log', ['0013_usage-later.sql'], `1, '0\treq_1'`],
])('a backup of %s is restored and upgraded', async (_name, older, request) => {
  await applyOld(20, older);
  await sql(
    url,
    `insert into accounts (id, display_name, tier, created_at) values ('${account}', 'Analytical Engines', 'free', now())`,
  );
  await sql(url, `insert into request_log values ('${account}', '${account}', ${request})`);
  await migrateQueue(url, log);
  const place = temporaryDirectory();
  const files = createFileStore(`file://${place}/files`, readConfig({}).s3);
  const secretKey = Buffer.alloc(32, 1);
  const dataDir = join(place, 'data');
  const backup = join(place, 'backup');
  await writeBackup({ databaseUrl: url, dataDir, files, secretKey, now: new Date() }, backup);

  const restored = await emptyDatabase();
  await restoreBackup({ databaseUrl: restored, dataDir: join(place, 'restored'), files, secretKey, log }, backup);
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  expect(await schemaOf(restored)).toEqual(await schemaOf(fresh.url));
  expect(await sql(restored, 'select id, display_name from accounts')).toEqual([
    { id: account, display_name: 'Analytical Engines' },
  ]);
  expect(await sql(restored, 'select * from request_log')).toEqual([]);
});

test('a backup of a migration that somebody else edited is refused', async () => {
  await migrate(url);
  await sql(url, `update schema_migrations set sha256 = repeat('a', 64) where version = 7`);
  await migrateQueue(url, log);
  const place = temporaryDirectory();
  const files = createFileStore(`file://${place}/files`, readConfig({}).s3);
  const target = { dataDir: join(place, 'data'), files, secretKey: Buffer.alloc(32, 1) };
  await writeBackup({ ...target, databaseUrl: url, now: new Date() }, join(place, 'backup'));
  const restoring = restoreBackup({ ...target, databaseUrl: await emptyDatabase(), log }, join(place, 'backup'));
  await expect(restoring).rejects.toThrow('the backup is of another schema');
});

test('a connection table that was migration 10 is known as 14', async () => {
  await applyOld(9, []);
  const name = '0014_esign_connections.sql';
  const text = readFileSync(join(migrations, name), 'utf8');
  await applyOld(13, [], 11);
  await sql(url, text);
  await note(10, '0010_esign_connections.sql', text);
  const applied = await migrate(url);
  expect(applied[0]).toBe('0016_esign_notices.sql');
});

test('doctor and migrate name a migration that was edited, and say what to do', async () => {
  await migrate(url);
  await sql(url, `update schema_migrations set sha256 = repeat('a', 64) where version = 7`);
  const at = placeOn({ DATABASE_URL: url });
  const said = /^migration 0007_imports\.sql is not the file that was applied .*install an unmodified release/;
  const doctor = await at.run('doctor', '--json');
  const findings: Array<{ check: string; ok: boolean; detail: string }> = JSON.parse(doctor.stdout.toString());
  expect(findings.find(({ check }) => check === 'schema')).toMatchObject({
    ok: false,
    detail: expect.stringMatching(said),
  });
  expect(await at.fails(1, 'migrate')).toMatch(said);
});

async function emptyDatabase(): Promise<string> {
  const admin = inject('adminDatabaseUrl');
  const name = `edited_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await sql(admin, `create database ${name} template template0`);
  onTestFinished(() => sql(admin, `drop database ${name} with (force)`).then(() => {}));
  return databaseUrl(admin, name);
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-edited-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Applies the migrations `first` to `last`, with the older files named in place of today's. */
async function applyOld(last: number, older: readonly string[], first = 1): Promise<void> {
  await sql(
    url,
    `create table if not exists schema_migrations (
      version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null
    )`,
  );
  for (const name of readdirSync(migrations).sort()) {
    const version = Number(name.slice(0, 4));
    if (version < first || version > last) continue;
    const replaced = older.find((other) => other.startsWith(name.slice(0, 4)));
    const path = replaced === undefined ? join(migrations, name) : join(editedMigrations, replaced);
    const text = readFileSync(path, 'utf8');
    await sql(url, text);
    await note(version, name, text);
  }
}

function note(version: number, name: string, text: string) {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return sql(url, `insert into schema_migrations values (${version}, '${name}', '${sha256}', now())`);
}

/** Columns, indexes, constraints and checksums, sorted. */
async function schemaOf(at: string): Promise<unknown> {
  return sql(
    at,
    `select format('%s.%s %s %s %s %s', table_name, column_name, data_type, is_nullable, column_default, ordinal_position) as it
       from information_schema.columns where table_schema = 'public'
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select format('%s %s %s', version, name, sha256) from schema_migrations
     order by 1`,
  );
}
