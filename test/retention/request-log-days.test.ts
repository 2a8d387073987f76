import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstIdAt } from '../../src/platform/ids.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { removeRequests } from '../../src/usage/read-request-log.ts';
import { addDays, dropDayBefore } from '../../src/usage/request-log-days.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';

/** The request log by the day, in days far from now. Without a worker, because only one at a time changes days. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
  // As in a new installation, there is no day yet.
  while ((await dropDayBefore(app.db, at('2031-01-01T00:00'))) !== null);
  expect(await days()).toEqual([]);
});
afterAll(() => app.stop());

const at = (time: string) => new Date(`${time}Z`);

/** Writes rows of some times, and returns the table that each is in. */
async function write(...times: string[]): Promise<void> {
  await app.db.query({
    name: '',
    text: `insert into request_log select $1, id, 1, 0, array[$1]::uuid[], '' from unnest($2::uuid[]) as id`,
    values: [company.id, times.map((time) => firstIdAt(at(time)))],
  });
}

async function rowsByTable(from: string): Promise<Record<string, number>> {
  const rows = await app.db.query<{ name: string; rows: number }>({
    name: '',
    text: `select tableoid::regclass::text as name, count(*)::int as rows from request_log where id >= $1 group by 1 order by 1`,
    values: [firstIdAt(at(from))],
  });
  return Object.fromEntries(rows.map((row) => [row.name.replace('request_log_days.', ''), row.rows]));
}

async function days(): Promise<string[]> {
  const rows = await app.db.query<{ name: string }>({
    name: '',
    text: `select tablename as name from pg_tables where schemaname = 'request_log_days' and tablename ~ '^day_' order by 1`,
    values: [],
  });
  return rows.map(({ name }) => name);
}

test('days are added ahead, rows that came before are moved, and each row is in its day', async () => {
  await write('2031-03-01T00:00', '2031-03-01T23:59', '2031-03-02T00:00', '2031-03-09T12:00');
  expect(await rowsByTable('2031-01-01T00:00')).toEqual({ other: 4 });
  await Promise.all([addDays(app.db, at('2031-03-01T09:00')), addDays(app.db, at('2031-03-01T09:00'))]);
  await addDays(app.db, at('2031-03-01T10:00'));
  expect(await days()).toEqual(['day_2031_03_01', 'day_2031_03_02', 'day_2031_03_03', 'day_2031_03_04']);
  expect(await rowsByTable('2031-01-01T00:00')).toEqual({ day_2031_03_01: 2, day_2031_03_02: 1, other: 1 });
  await write('2031-03-04T23:59:59.999');
  expect(await rowsByTable('2031-03-04T00:00')).toEqual({ day_2031_03_04: 1, other: 1 });
});

test('a day is dropped when its last moment is too old, and rows without a day are deleted', async () => {
  await addDays(app.db, at('2041-03-01T09:00'));
  await write('2041-03-01T00:00', '2041-03-01T23:59', '2041-03-02T00:00', '2041-02-01T00:00', '2041-04-01T00:00');
  const dropAll = async (before: string) => {
    let dropped = 0;
    while ((await dropDayBefore(app.db, at(before))) !== null) dropped += 1;
    return dropped;
  };
  await dropAll('2041-01-01T00:00');
  expect(await dropAll('2041-03-01T23:59:59.999')).toBe(0);
  expect(await dropAll('2041-03-02T00:00')).toBe(1);
  expect(await rowsByTable('2041-01-01T00:00')).toEqual({ day_2041_03_02: 1, other: 2 });
  expect(await removeRequests(app.db, at('2041-03-02T00:00'), 1000)).toBeGreaterThanOrEqual(1);
  expect(await rowsByTable('2041-01-01T00:00')).toEqual({ day_2041_03_02: 1, other: 1 });
  // Days that were dropped are not added again: their rows would be too old.
  expect(await days()).toEqual(['day_2041_03_02', 'day_2041_03_03', 'day_2041_03_04']);
});

test('what was logged before there were days stays readable', async () => {
  const database = await emptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  try {
    await migrate(database.url, { upTo: 65 });
    const account = firstIdAt(at('2026-01-01T00:00'));
    const rows = ['2026-03-01T10:00', '2026-03-02T10:00'].map((time) => firstIdAt(at(time)));
    await client.connect();
    await client.query(
      `insert into accounts (id, display_name, tier, created_at) values ('${account}', 'Acme', 'team', now())`,
    );
    for (const id of rows) await client.query(`insert into request_log values ('${account}', '${id}', 1, 0, '{}', '')`);
    await migrate(database.url);
    const found = await client.query(`select tableoid::regclass::text as name, id from request_log order by id`);
    expect(found.rows).toEqual(rows.map((id) => ({ name: 'request_log_days.until_partitioned', id })));
    const bounds = await client.query(
      `select pg_get_expr(relpartbound, oid) as bounds from pg_class where relname = 'until_partitioned'`,
    );
    expect(bounds.rows[0].bounds).toContain(`TO ('${firstIdAt(at('2026-03-03T00:00'))}')`);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('the table that a migration made of older rows is dropped like a day', async () => {
  await app.db.query({
    name: '',
    text: `create table request_log_days.until_partitioned (like request_log including all)`,
    values: [],
  });
  await app.db.query({
    name: '',
    text: `alter table request_log attach partition request_log_days.until_partitioned
           for values from ('${firstIdAt(at('2020-01-01T00:00'))}') to ('${firstIdAt(at('2021-01-01T00:00'))}')`,
    values: [],
  });
  await write('2020-05-01T00:00', '2020-06-01T00:00');
  expect(await dropDayBefore(app.db, at('2020-12-31T00:00'))).toBeNull();
  expect(await dropDayBefore(app.db, at('2021-01-01T00:00'))).not.toBeNull();
  expect(await rowsByTable('2020-01-01T00:00')).not.toHaveProperty('until_partitioned');
});

test('a reader that holds the log makes the change fail, and nothing is lost', async () => {
  await addDays(app.db, at('2051-03-01T09:00'));
  await write('2051-03-01T05:00');
  await app.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'select 1 from request_log limit 1', values: [] });
    await expect(dropDayBefore(app.db, at('2051-03-02T00:00'))).rejects.toThrow(/lock timeout/);
  });
  expect(await dropDayBefore(app.db, at('2051-03-02T00:00'))).not.toBeNull();
});

test('after a run with a clock that was far ahead, days are added again', async () => {
  await addDays(app.db, at('2071-03-01T09:00'));
  while ((await dropDayBefore(app.db, at('2071-03-01T00:00'))) !== null);
  await write('2061-03-01T05:00');
  await addDays(app.db, at('2061-03-01T09:00'));
  expect(await days()).toEqual(expect.arrayContaining(['day_2061_03_01', 'day_2061_03_04', 'day_2071_03_04']));
  expect(await rowsByTable('2061-01-01T00:00')).toMatchObject({ day_2061_03_01: 1 });
});
