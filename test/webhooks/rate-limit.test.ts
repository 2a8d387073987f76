import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { type Claim, claimDeliveries } from '../../src/webhooks/claim-deliveries.ts';
import { limitEndpoint } from '../../src/webhooks/manage-endpoints.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint, deliveriesOf, recordEvents, settledDeliveries } from '../support/webhooks.ts';

let database: FreshDatabase;
let web: TestService;
let company: Company;
let receiver: Receiver;
let endpoint: string;

beforeEach(async () => {
  database = await freshDatabase();
  web = await startTestService({ databaseUrl: database.url, env: { ROLE: 'web' } });
  company = await createCompany(web);
  receiver = await startReceiver();
  endpoint = (await createEndpoint(web, company.id, `${receiver.url}/limited`)).id;
});
afterEach(async () => {
  await receiver.stop();
  await web.stop();
  await database.drop();
});

const limit = (perSecond: number | null, id = endpoint) =>
  web.db.transaction((tx) => limitEndpoint(web.world, tx, id, perSecond, null));

async function record(count: number): Promise<void> {
  await recordEvents(web, company.id, await createDraft(web, company.key), count);
}

function claim(): Promise<Claim> {
  const now = web.clock.now();
  return claimDeliveries(web.db, {
    answers: 'unknown',
    now,
    leaseId: web.world.newId(),
    leasedUntil: new Date(now.getTime() + 60_000),
    limit: 512,
    perEndpoint: 512,
    perFailingEndpoint: 512,
    underWay: new Map(),
    after: '',
  });
}

test.each([
  [1, 3],
  [7, 3],
  [20, 3],
  [100, 3],
  [1000, 2],
])('an endpoint limited to %i gets no more in any second, and nearly as many', async (perSecond, seconds) => {
  await record(perSecond * (seconds + 1));
  await limit(perSecond);
  const claimedAt: number[] = [];
  const startedAt = web.clock.now().getTime();
  const stepMs = perSecond > 50 ? 20 : 10;
  for (let ms = 0; ms < seconds * 1000; ms += stepMs) {
    const { deliveries } = await claim();
    claimedAt.push(...deliveries.map(() => web.clock.now().getTime() - startedAt));
    web.clock.advance({ seconds: stepMs / 1000 });
  }
  for (const [place, at] of claimedAt.entries()) {
    expect((claimedAt[place + perSecond] ?? Number.POSITIVE_INFINITY) - at, `${place}`).toBeGreaterThanOrEqual(1000);
  }
  expect(claimedAt.length).toBeGreaterThanOrEqual(0.8 * perSecond * seconds);
});

test('claims at the same moment share the tokens, the oldest delivery goes first, and the next claim is due soon', async () => {
  await record(100);
  await limit(50);
  const claims = await Promise.all(Array.from({ length: 8 }, claim));
  const claimed = claims.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
  expect(claimed.length).toBeGreaterThan(0);
  expect(claimed.length).toBeLessThanOrEqual(5);
  const oldest = (await deliveriesOf(web, endpoint)).slice(0, claimed.length).map(({ id }) => id);
  expect(claimed.toSorted()).toEqual(oldest);
  const { deliveries, againMs } = await claim();
  expect(deliveries.length + claimed.length).toBe(5);
  expect(againMs).toBeGreaterThan(50);
  expect(againMs).toBeLessThan(200);
});

test('a clock that is set back stops no endpoint with a limit, and a clock that is a little behind has no limit of its own', async () => {
  await record(10);
  await limit(20);
  web.clock.advance({ hours: 1 });
  expect((await claim()).deliveries).toHaveLength(2);
  web.clock.advance({ seconds: -3 });
  expect((await claim()).deliveries).toHaveLength(0);
  web.clock.advance({ minutes: -30 });
  expect((await claim()).deliveries).toHaveLength(2);
  expect((await claim()).deliveries).toHaveLength(0);
});

test('an endpoint without due deliveries or without a limit asks for no earlier claim', async () => {
  await limit(5);
  expect((await claim()).againMs).toBe(null);
  await limit(null);
  await record(3);
  expect(await claim()).toMatchObject({ deliveries: { length: 3 }, againMs: null });
});

test('several workers together keep the limit and delay no other endpoint, and without the limit the rest goes at once', async () => {
  const free = (await createEndpoint(web, company.id, `${receiver.url}/free`)).id;
  await limit(2);
  const arrivals: number[] = [];
  receiver.answer = (response, { path }) => {
    if (path.endsWith('/limited')) arrivals.push(performance.now());
    response.end();
  };
  await record(100);
  const startedAt = performance.now();
  const workers = await Promise.all(
    [1, 2, 3].map(() =>
      startTestService({
        databaseUrl: database.url,
        outside: { clock: systemClock },
        env: { ROLE: 'worker', WEBHOOK_ALLOW_PRIVATE: 'true', DATA_DIR: web.dataDir },
      }),
    ),
  );
  onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.stop()))));
  await settledDeliveries(web, free, 100);
  expect(arrivals.length).toBeLessThan(100);
  await eventually(
    async () => arrivals.length,
    (count) => count >= 6,
  );
  expect(performance.now() - startedAt).toBeGreaterThan(1000);
  await limit(null);
  await settledDeliveries(web, endpoint, 100);
  expect(
    new Set(receiver.received.filter(({ path }) => path.endsWith('/limited')).map(({ event }) => event.id)).size,
  ).toBe(100);
});
