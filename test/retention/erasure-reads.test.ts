import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseAccount, requestErasure } from '../../src/erasure/erase-account.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import type { World } from '../../src/platform/world.ts';
import type { Database, Queryable } from '../../src/postgres/database.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';

const world: World = {
  clock: systemClock,
  random: systemRandom,
  newId: createNewId(systemClock, systemRandom),
  log: createLog('silent'),
};

let database: FreshDatabase;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = openTestDatabase(database.url);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const run = <Row>(of: Queryable, text: string, values: unknown[] = []) => of.query<Row>({ name: '', text, values });

/** Accounts and people are never deleted. A reference with several columns is found by one of its own, not by the account alone. */
test('every reference to a row that may be deleted has an index', async () => {
  const missing = await run(
    db,
    `select c.conrelid::regclass::text as "from", c.confrelid::regclass::text as "to" from pg_constraint c
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and c.confrelid not in ('accounts'::regclass, 'people'::regclass)
       and not exists (
         select from pg_index i
         join pg_attribute first on first.attrelid = i.indrelid and first.attnum = i.indkey[0]
         where i.indrelid = c.conrelid and i.indkey[0] = any (c.conkey)
           and (first.attname <> 'account_id' or cardinality(c.conkey) = 1 or i.indkey[1] = any (c.conkey))
           and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')
       )`,
  );
  expect(missing).toEqual([]);
});

const few = 20;
/** More than are deleted in one step. */
const many = 1500;

test('erasing a company reads no rows of others, however many there are', async () => {
  const [small, large] = [await companyWith(few), await companyWith(many)];
  await run(db, 'analyze');
  await run(db, 'update accounts set removed_at = now() where id = $1', [small]);
  await requestErasure(world, db, small);

  const reads = new Map<string, number>();
  const erased = await eraseAccount({
    world,
    db: counting(db, reads),
    accountId: small,
    stopping: new AbortController().signal,
  });
  expect(erased.documents).toBe(few);
  expect([...reads].filter(([, rows]) => rows >= many)).toEqual([]);
  const [left] = await run<{ n: number }>(
    db,
    `select (select count(*) from webhook_attempts)::int + (select count(*) from import_items)::int as n`,
  );
  expect(left?.n).toBe(2 * many);

  await run(db, 'update accounts set removed_at = now() where id = $1', [large]);
  await requestErasure(world, db, large);
  await eraseAccount({ world, db, accountId: large, stopping: new AbortController().signal });
  expect(await run(db, 'select from webhook_deliveries union all select from import_items')).toEqual([]);
});

test('erasing a person reads no audit entries of others, however many there are', async () => {
  const [account, person, member] = [await companyWith(1), world.newId(), world.newId()];
  await run(db, `insert into people (id, email, canonical_email, created_at) values ($1, $2, $3, now())`, [
    person,
    'ada@bücher.example',
    ada,
  ]);
  await run(
    db,
    `insert into members (id, account_id, email, canonical_email, role, created_at) values ($1, $2, $3, $3, 'owner', now())`,
    [member, account, ada],
  );
  await run(
    db,
    `insert into account_audit_entries (id, account_id, at, action, detail)
     select gen_random_uuid(), $1, now(), 'member_invited', detail::jsonb from unnest($2::text[]) detail`,
    [
      account,
      [
        ...Array.from({ length: many }, (_, n) => ({ email: `n${n}@example.com`, member_id: world.newId() })),
        { email: 'ADA@BÜCHER.example', member_id: world.newId() },
        { email: ada, member_id: world.newId() },
        { member_id: member },
      ].map((detail) => JSON.stringify(detail)),
    ],
  );
  await run(db, 'analyze');

  const reads = new Map<string, number>();
  await counting(db, reads).transaction((tx) => erasePerson(world, tx, person));
  expect(reads.get('account_audit_entries')).toBeLessThan(few);
  const left = `select from account_audit_entries where detail ->> 'email' !~ '^n' or detail ->> 'member_id' = $1`;
  expect(await run(db, left, [member])).toEqual([]);
  const redacted = await run(db, `select from account_audit_entries where detail ? 'erased_at'`);
  expect(redacted).toHaveLength(3);
});

const ada = 'ada@xn--bcher-kva.example';

/** Adds how many rows of each table transactions read, also for foreign keys. */
function counting(of: Database, reads: Map<string, number>): Database {
  const transaction: Database['transaction'] = (work) =>
    of.transaction(async (tx) => {
      const before = await rowsRead(tx);
      const result = await work(tx);
      for (const [table, rows] of await rowsRead(tx)) {
        reads.set(table, (reads.get(table) ?? 0) + rows - (before.get(table) ?? 0));
      }
      return result;
    });
  return { ...of, transaction, query: (statement) => transaction((tx) => tx.query(statement)) };
}

async function rowsRead(tx: Queryable): Promise<Map<string, number>> {
  const rows = await run<{ table: string; n: number }>(
    tx,
    `select relname as "table", (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables`,
  );
  return new Map(rows.map(({ table, n }) => [table, n]));
}

/** Adds a company with as many documents, each imported, with an event that was delivered. Returns its id. */
async function companyWith(rows: number): Promise<string> {
  const [account, key, endpoint, from] = [world.newId(), world.newId(), world.newId(), world.newId()];
  await run(
    db,
    `with account as (
       insert into accounts (id, display_name, tier, created_at) values ($1, 'Acme', 'enterprise', now())
     ), key as (
       insert into api_keys (id, account_id, mode, scopes, hash, hint, created_at)
       values ($2::uuid, $1, 'live', '{}', sha256($2::uuid::text::bytea), '', now())
     ), endpoint as (
       insert into webhook_endpoints (id, account_id, slot, url, events, secret, created_at)
       values ($3, $1, 1, 'https://example.com/', '{document.sent}', '', now())
     )
     insert into imports (id, account_id, source, status, unlock_doc, api_key_id, total_files, filed, created_at, finished_at)
     values ($4, $1, 'cloud_files', 'finished', false, $2, $5::int, $5, now(), now())`,
    [account, key, endpoint, from, rows],
  );
  await run(
    db,
    `with made as materialized (
       select gen_random_uuid() as id, sha256(($1 || n::text)::bytea) as sha256, n from generate_series(1, $4::int) n
     ), document as (
       insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode, recipient_count,
         created_at, updated_at, audit_seq, audit_hash)
       select id, $1::uuid, 'contract', 'draft', 'A', 'en', 'parallel', 1, now(), now(), 1, sha256 from made
     ), item as (
       insert into import_items (id, account_id, import_id, index, name, status, document_id, reserved_bytes, created_at,
         finished_at)
       select id, $1::uuid, $2, n, 'a.pdf', 'filed', id, 0, now(), now() from made
     ), file as (
       insert into imported_files (account_id, sha256, document_id, bytes, pages) select $1::uuid, sha256, id, 1, 1 from made
     ), drive_file as (
       insert into imported_drive_files (account_id, drive_file_id, revision, sha256)
       select $1::uuid, id, '1', sha256 from made
     ), credit as (
       insert into credit_entries (id, account_id, amount, balance, reason, created_at, number, document_id, source_sha256)
       select id, $1::uuid, 1, 1, 'test', now(), n, id, sha256 from made
     ), event as (
       insert into events (id, account_id, document_id, type, body, created_at)
       select id, $1::uuid, id, 'document.sent', '{}', now() from made
     ), delivery as (
       insert into webhook_deliveries (id, account_id, endpoint_id, event_id, status, created_at, settled_at)
       select id, $1::uuid, $3, id, 'delivered', now(), now() from made
     )
     insert into webhook_attempts (delivery_id, number, at, status_code, duration_ms) select id, 1, now(), 200, 20 from made`,
    [account, from, endpoint, rows],
  );
  return account;
}
