import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { claimDeliveries } from '../../src/webhooks/claim-deliveries.ts';
import { endpointsMax } from '../../src/webhooks/endpoint.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';

const newId = createNewId(systemClock, systemRandom);
const endpoints = 1000;

let database: FreshDatabase;
let db: Database;

beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, connectionsMax: 1, timeoutMs: 60_000, log: createLog('error') });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

test('a claim costs about the same with a thousand endpoints under way as with none', async () => {
  const ids = await seedClaimedDeliveries();
  const underWay = new Map(ids.map((id) => [id, 1]));
  const times = { none: [] as number[], all: [] as number[] };
  for (let round = 0; round < 15; round++) {
    times.none.push(await timeOfClaim(new Map()));
    times.all.push(await timeOfClaim(underWay));
  }
  expect(median(times.all) / median(times.none)).toBeLessThan(4);
});

/** Adds one delivery to each endpoint, all leased by another worker, so that no claim changes anything. */
async function seedClaimedDeliveries(): Promise<string[]> {
  const ids = Array.from({ length: endpoints }, newId);
  await db.query({
    name: '',
    text: `with numbered as (
             select id, (n - 1) % ${endpointsMax} + 1 as slot, (n - 1) / ${endpointsMax} as account
             from unnest($1::uuid[]) with ordinality as given (id, n)
           ), account as (
             insert into accounts (id, display_name, tier, created_at)
             select ($2::uuid[])[account + 1], 'Crowd', 'enterprise', now() from numbered where slot = 1
           ), event as (
             insert into events (id, account_id, type, body, created_at)
             select ($2::uuid[])[account + 1], ($2::uuid[])[account + 1], 'document.sent', '{}', now()
             from numbered where slot = 1
           ), endpoint as (
             insert into webhook_endpoints (id, account_id, slot, url, events, secret, created_at)
             select id, ($2::uuid[])[account + 1], slot, 'https://example.com/', '{document.sent}', '', now() from numbered
           )
           insert into webhook_deliveries (id, account_id, endpoint_id, event_id, status, next_attempt_at, created_at,
             lease_id, leased_until)
           select id, ($2::uuid[])[account + 1], id, ($2::uuid[])[account + 1], 'pending', now() - interval '1 minute', now(),
             id, now() + interval '1 hour'
           from numbered`,
    values: [ids, Array.from({ length: endpoints / endpointsMax }, newId)],
  });
  return ids;
}

async function timeOfClaim(underWay: ReadonlyMap<string, number>): Promise<number> {
  const startedAt = performance.now();
  const now = new Date();
  const claim = await claimDeliveries(db, {
    answers: 'unknown',
    now,
    leaseId: newId(),
    leasedUntil: new Date(now.getTime() + 30_000),
    limit: 100,
    perEndpoint: 1,
    perFailingEndpoint: 1,
    underWay,
    after: '',
  });
  expect(claim.deliveries).toEqual([]);
  return performance.now() - startedAt;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
