import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { OperatorError } from '../../src/errors.ts';
import { migrate } from '../../src/postgres/migrate.ts';
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

/** Returns the address of an empty database for a new role, which has no rights there yet. */
async function emptyPlaceOfRole(): Promise<{ role: string; own: URL }> {
  const admin = inject('adminDatabaseUrl');
  const role = `role_${process.pid}_${databases}`;
  await sql(admin, `create role ${role} login password 'hunter2'`);
  onTestFinished(() => sql(admin, `drop role ${role}`).then(() => {})); // after its database
  const own = new URL((await emptyPlace()).databaseUrl as string);
  own.username = '';
  own.password = '';
  own.searchParams.set('user', role);
  own.searchParams.set('password', 'hunter2');
  return { role, own };
}

const tables = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`;

test.each([
  ['a table', 'create table orders (id int)', 'orders'],
  ['migrations of its own', 'create table schema_migrations (version varchar(255) primary key)', 'schema_migrations'],
])('a database of another application, with %s, is refused and gets no table', async (_, create, name) => {
  const at = await emptyPlace();
  await sql(at.databaseUrl as string, create);
  const commands = [['account', 'list'], ['account', 'create', '--name', 'Acme'], ['migrate']];
  for (const command of commands) expect(await at.fails(1, ...command)).toContain(`(it has ${name})`);
  const { stdout } = await at.run('doctor', '--json');
  expect(JSON.parse(stdout.toString())).toContainEqual({
    check: 'schema',
    ok: false,
    detail: expect.stringContaining(`(it has ${name})`),
  });
  expect(await sql(at.databaseUrl as string, tables)).toEqual([{ relname: name }]);
});

test('tables of extensions are no other application', async () => {
  const at = await emptyPlace();
  await sql(at.databaseUrl as string, 'create extension pg_stat_statements');
  await at.json('migrate');
});

test.each([
  [
    'a role that may not create tables',
    (name: string, role: string) => `grant connect on database ${name} to ${role}`,
    /OWNER TO/,
  ],
  [
    'a read-only server',
    (name: string, role: string) =>
      `alter database ${name} owner to ${role}; alter database ${name} set default_transaction_read_only = on`,
    /read-only/,
  ],
])('%s is one line with the remedy, of a start and of the doctor', async (_, prepare, remedy) => {
  const admin = inject('adminDatabaseUrl');
  const { role, own } = await emptyPlaceOfRole();
  await sql(admin, prepare(own.pathname.slice(1), role));

  await expect(migrate(own.href)).rejects.toThrow(OperatorError);
  await expect(migrate(own.href)).rejects.toThrow(remedy);
  const { stdout, code } = await placeOn({ DATABASE_URL: own.href }).run('doctor', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout.toString())).toContainEqual({
    check: 'schema',
    ok: false,
    detail: expect.stringMatching(remedy),
  });
});

test.each([
  ['no rights to the tables', () => 'select'],
  ['all rights to the tables', (role: string) => `grant all on all tables in schema public to ${role}`],
])('a role that owns the database but not its tables, with %s, is told how to own them', async (_, grant) => {
  const { role, own } = await emptyPlaceOfRole();
  const admin = databaseUrl(inject('adminDatabaseUrl'), own.pathname.slice(1));
  await migrate(admin, { upTo: 80 });
  await sql(admin, `alter database ${own.pathname.slice(1)} owner to ${role}; ${grant(role)}`);

  await expect(migrate(own.href)).rejects.toThrow(/does not own the tables: run REASSIGN OWNED/);
});

test('a database that is behind is left to migrate', async () => {
  const at = await emptyPlace();
  await at.json('migrate');
  await sql(at.databaseUrl as string, 'delete from schema_migrations where version > 1');
  expect(await at.fails(1, 'account', 'list')).toBe('the database is older than this version: run countersign migrate');
});

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test.each([
  ['a backup', 'select count(*) from audit_entries'],
  ['a change of a document', 'lock table documents in row exclusive mode'],
])('a migration waits for %s without keeping others waiting', async (_, statement) => {
  const { databaseUrl: url } = (await emptyPlace()) as { databaseUrl: string };
  await migrate(url, { upTo: 79 });
  const [first, second] = [await connected(url), await connected(url)];
  await first.query("set deadlock_timeout = '1min'"); // the migration is the one to notice a deadlock
  await first.query('begin');
  await first.query(statement);

  const notices: string[] = [];
  const migrated = migrate(url, { upTo: 80, onNotice: (notice) => notices.push(notice) });
  migrated.catch(() => {});
  const waiting = `select from pg_stat_activity where application_name = 'countersign migrate'
                   and datname = current_database() and wait_event_type = 'Lock'`;
  while ((await second.query(waiting)).rowCount === 0) await sleep(20);
  await second.query('set statement_timeout = 5000');
  const read = 'select count(*)::int as count from audit_entries';
  for (const client of [first, second]) expect((await client.query(read)).rows).toEqual([{ count: 0 }]);
  await expect
    .poll(() => notices, { timeout: 10_000 })
    .toEqual([expect.stringContaining('waits for other connections')]);
  await first.query('commit');
  expect(await migrated).toHaveLength(1);
});

const uuid = (last: number) => `01a1fb00-a7d3-7227-9385-${String(last).padStart(12, '0')}`;

/** A database of the version before canonical addresses, with one company. */
async function oldPlace(rows: string[]): Promise<Place & { databaseUrl: string }> {
  const at = await emptyPlace();
  const databaseUrl = at.databaseUrl as string;
  await migrate(databaseUrl, { upTo: 26 });
  await sql(
    databaseUrl,
    `insert into accounts (id, display_name, tier, created_at) values ('${uuid(1)}', 'Acme', 'team', now())`,
  );
  for (const row of rows) await sql(databaseUrl, row);
  return { ...at, databaseUrl };
}

const person = (id: number, email: string) =>
  `insert into people (id, email, password_hash, created_at) values ('${uuid(id)}', '${email}', 'hash', now())`;
const member = (id: number, email: string, role = 'member') =>
  `insert into members (id, account_id, email, role, created_at)
   values ('${uuid(id)}', '${uuid(1)}', '${email}', '${role}', now())`;

test('addresses of an older version get their canonical form, and one that only looked like another is reported', async () => {
  const at = await oldPlace([
    person(2, 'Mark@Example.com'),
    person(3, 'ada@BÜCHER.example'),
    member(4, 'mar\u212a@example.com', 'admin'),
  ]);
  const other = uuid(6);
  await sql(
    at.databaseUrl,
    `insert into accounts (id, display_name, tier, created_at) values ('${other}', 'Other', 'team', now())`,
  );
  await sql(at.databaseUrl, member(5, 'Mark@Example.com', 'owner').replace(uuid(1), other));
  const { stderr } = await at.run('migrate');
  expect(stderr.toString()).toContain(
    `member ${uuid(4)} has an address that only looks like that of person ${uuid(2)}`,
  );
  expect(stderr.toString()).not.toContain(uuid(5));
  expect(await sql(at.databaseUrl, 'select canonical_email from people order by id')).toEqual([
    { canonical_email: 'mark@example.com' },
    { canonical_email: 'ada@xn--bcher-kva.example' },
  ]);
});

test('people and members with one address stop a migration, which loses nothing, until one of each is chosen', async () => {
  const at = await oldPlace([
    person(2, 'jos\u00e9@example.com'),
    person(3, 'jose\u0301@example.com'),
    `insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at)
     values ('${uuid(9)}', '${uuid(3)}', 'credential', '', 0, '{}', 'Laptop', now())`,
    member(4, 'jos\u00e9@example.com'),
    member(5, 'jose\u0301@example.com', 'owner'),
  ]);
  const before = await sql(at.databaseUrl, 'select email, password_hash from people order by id');
  for (const command of [['migrate'], ['migrate', '--keep', uuid(2)], ['migrate', '--keep', uuid(1)]]) {
    const refused = await at.fails(1, ...command);
    expect(refused).toContain(
      `member ${uuid(4)} (jos\\u{e9}@example.com), member ${uuid(5)} (jose\\u{301}@example.com)`,
    );
    expect(refused).toContain('countersign migrate --keep ID');
  }
  expect(await sql(at.databaseUrl, 'select email, password_hash from people order by id')).toEqual(before);
  expect(await sql(at.databaseUrl, 'select max(version) as version from schema_migrations')).toEqual([{ version: 26 }]);

  await at.json('migrate', '--keep', uuid(2), '--keep', uuid(4));
  expect(await sql(at.databaseUrl, 'select id, canonical_email, password_hash from people order by id')).toEqual([
    { id: uuid(2), canonical_email: 'jos\u00e9@example.com', password_hash: 'hash' },
    { id: uuid(3), canonical_email: `replaced:${uuid(3)}`, password_hash: null },
  ]);
  expect(await sql(at.databaseUrl, 'select id, role from members')).toEqual([{ id: uuid(4), role: 'owner' }]);
  expect(await sql(at.databaseUrl, 'select from passkeys')).toEqual([]);
});
