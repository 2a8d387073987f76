import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { systemRandom } from '../../src/platform/random.ts';
import type { Database } from '../../src/postgres/database.ts';
import { type FoundDeliveries, pageDeliveries, searchText } from '../../src/webhooks/deliveries.ts';
import { type DeliveryFilter, everyDelivery, isFiltered } from '../../src/webhooks/delivery-filter.ts';
import { deliveriesLookedAtMax, walkOf } from '../../src/webhooks/delivery-walk.ts';
import { insertMany } from '../support/insert-many.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';

const newId = createNewId(systemClock, systemRandom);
const deliveries = 100_000;
/** The deliveries are a second apart. */
const start = Date.parse('2026-03-01T00:00:00Z');
const endpoint = { id: newId(), account_id: newId() };

let database: FreshDatabase;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = openTestDatabase(database.url);
  await seed();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** One in ten thousand is dead, one pending, and one of another type. */
async function seed(): Promise<void> {
  const { id, account_id } = endpoint;
  await db.query({
    name: '',
    text: `with account as (
             insert into accounts (id, display_name, tier, created_at) values ($1, 'Busy', 'enterprise', now())
           )
           insert into webhook_endpoints (id, account_id, slot, url, events, secret, created_at)
           values ($2, $1, 1, 'https://example.com/', '{document.sent,document.voided}', '', now())`,
    values: [account_id, id],
  });
  const idAt = (kind: string) =>
    `(lpad(to_hex($5::bigint + n * 1000), 12, '0') || '7000800000000000' || '${kind}' || lpad(to_hex(n % 4096), 3, '0'))::uuid`;
  await insertMany(
    db,
    deliveries,
    `with given as (
       select n, ${idAt('a')} as event_id, ${idAt('b')} as id, to_timestamp($5::bigint / 1000 + n) as at,
         case when n % 10000 = 1 then 'dead' when n % 10000 = 2 then 'pending' else 'delivered' end as status
       from generate_series($1::int, $2::int) n
     ), event as (
       insert into events (id, account_id, document_id, type, body, created_at)
       select event_id, $3, null, case when n % 10000 = 3 then 'document.voided' else 'document.sent' end, '{}', at from given
     ), attempt as (
       insert into webhook_attempts (delivery_id, number, at, status_code, duration_ms)
       select id, 1, at, case status when 'delivered' then 200 when 'dead' then 302 else 503 end, 20 from given
     )
     insert into webhook_deliveries
       (id, account_id, endpoint_id, event_id, status, next_attempt_at, created_at, settled_at)
     select id, $3, $4, event_id, status, case status when 'pending' then at end, at, case when status <> 'pending' then at end
     from given`,
    [account_id, id, start],
  );
  await db.query({ name: '', text: 'analyze', values: [] });
}

const time = (second: number) => new Date(start + second * 1000);
const filterOf = (given: Partial<DeliveryFilter>): DeliveryFilter => ({ ...everyDelivery, ...given });

/** Reads all pages. Returns the seconds of the deliveries, newest first, and how many pages there were. */
async function search(given: Partial<DeliveryFilter>): Promise<{ seconds: number[]; pages: number }> {
  const seconds: number[] = [];
  let afterId: string | null = null;
  let pages = 0;
  do {
    const page: FoundDeliveries = await pageDeliveries(db, endpoint, filterOf(given), { afterId, limit: 25 });
    seconds.push(...page.rows.map(({ created_at }) => (Date.parse(created_at) - start) / 1000));
    afterId = page.rows.length === 25 ? (page.rows.at(-1)?.id ?? null) : page.lookedTo;
    pages += 1;
  } while (afterId !== null);
  return { seconds, pages };
}

const rare = (rest: number) => Array.from({ length: 10 }, (_, at) => 90_000 - at * 10_000 + rest);
const range = { from: time(2000), to: time(2100) };

/** Filter, matches, and the maximum of 8 kB blocks that its first page may read. */
/* biome-ignore format: a table reads as a table */
const searches: [string, Partial<DeliveryFilter>, number[], number][] = [
  ['dead',                      { status: 'dead' },                          rare(1),                                       100],
  ['pending',                   { status: 'pending' },                       rare(2),                                       100],
  ['answered with 3xx',         { answer: '3xx' },                           rare(1),                                       200],
  ['answered with 5xx',         { answer: '5xx' },                           rare(2),                                       200],
  ['an event type',             { event: 'document.voided' },                rare(3),                                   100_000],
  ['a range',                   range,                                       Array.from({ length: 100 }, (_, at) => 2099 - at), 200],
  ['delivered in a range',      { ...range, status: 'delivered', answer: '2xx' }, Array.from({ length: 100 }, (_, at) => 2099 - at), 400],
  ['dead in a range',           { status: 'dead', from: time(20_001), to: time(40_001) }, [30_001, 20_001],                 100],
];

test.each(searches)(
  'among 100,000 deliveries, %s is found completely with few reads',
  async (_, given, matches, readsMax) => {
    expect((await search(given)).seconds).toEqual(matches);
    expect(await readsOf(given)).toBeLessThan(readsMax);
  },
);

test('a page without a filter reads no more than it shows', async () => {
  expect(await readsOf({})).toBeLessThan(100);
});

test('a search for a rare type ends after a bounded number of deliveries and continues from there', async () => {
  const { pages } = await search({ event: 'document.voided' });
  expect(pages).toBe(deliveries / deliveriesLookedAtMax + 1);
});

test('pending deliveries are found when they are many', async () => {
  await db
    .transaction(async (tx) => {
      await tx.query({
        name: '',
        text: `update webhook_deliveries set status = 'pending', next_attempt_at = created_at, settled_at = null
             where created_at >= $1 and created_at < $2 and status = 'delivered'`,
        values: [time(50_000), time(50_000 + deliveriesLookedAtMax)],
      });
      const page = await pageDeliveries(tx, endpoint, filterOf({ status: 'pending' }), { afterId: null, limit: 25 });
      expect(page.rows.map(({ created_at }) => created_at)).toEqual(
        [90_002, 80_002].map((at) => time(at).toISOString()),
      );
      const next = await pageDeliveries(tx, endpoint, filterOf({ status: 'pending' }), {
        afterId: page.lookedTo,
        limit: 25,
      });
      expect(next.rows.slice(0, 2).map(({ created_at }) => created_at)).toEqual(
        [70_002, 69_999].map((at) => time(at).toISOString()),
      );
      expect(next.rows).toHaveLength(25);
      throw new RolledBack();
    })
    .catch((error) => {
      if (!(error instanceof RolledBack)) throw error;
    });
});

class RolledBack extends Error {}

/** Returns how many blocks the search for a first page reads, without the deliveries that it shows. */
async function readsOf(given: Partial<DeliveryFilter>): Promise<number> {
  const lookedAtMax = isFiltered(filterOf(given)) ? deliveriesLookedAtMax : 25;
  const walk = await walkOf(db, {
    endpoint,
    filter: filterOf(given),
    order: 'newest_first',
    afterId: null,
    lookedAtMax,
  });
  const [row] = await db.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>({
    name: '',
    text: `explain (analyze, buffers, format json) ${searchText(walk)}`,
    values: [...walk.values, 25],
  });
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}
