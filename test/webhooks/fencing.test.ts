import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { countLastDay } from '../../src/webhooks/attempt-counts.ts';
import { type Claim, claimDeliveries } from '../../src/webhooks/claim-deliveries.ts';
import type { ClaimedDelivery } from '../../src/webhooks/delivery.ts';
import { handBackDeliveries } from '../../src/webhooks/hand-back-deliveries.ts';
import { type NextStep, nextStep } from '../../src/webhooks/retry-schedule.ts';
import { settleDeliveries } from '../../src/webhooks/settle-deliveries.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import {
  attemptsOf,
  createEndpoint,
  deliveriesOf,
  passTime,
  recordEvents,
  settledDeliveries,
} from '../support/webhooks.ts';

let database: FreshDatabase;
/** A service that records deliveries and makes none. */
let web: TestService;
let company: Company;
let receiver: Receiver;
let endpoint: { id: string };

beforeEach(async () => {
  database = await freshDatabase();
  web = await startTestService({ databaseUrl: database.url, env: { ROLE: 'web' } });
  company = await createCompany(web);
  receiver = await startReceiver();
  endpoint = await createEndpoint(web, company.id, receiver.url);
});
afterEach(async () => {
  await receiver.stop();
  await web.stop();
  await database.drop();
});

const leaseSeconds = 30;

/** Claims deliveries like a worker, which may then stall. */
function claim(changes: Partial<{ limit: number; perEndpoint: number }> = {}): Promise<Claim> {
  const now = web.clock.now();
  return claimDeliveries(web.db, {
    answers: 'unknown',
    now,
    leaseId: web.world.newId(),
    leasedUntil: new Date(now.getTime() + leaseSeconds * 1000),
    limit: 100,
    perEndpoint: 100,
    perFailingEndpoint: 100,
    underWay: new Map(),
    after: '',
    ...changes,
  });
}

/** Returns the only delivery of a claim. */
async function claimOne(): Promise<ClaimedDelivery> {
  const { deliveries } = await claim();
  expect(deliveries).toHaveLength(1);
  return deliveries[0] as ClaimedDelivery;
}

/** Returns whether the outcome was recorded. */
async function settle(delivery: ClaimedDelivery, next: NextStep, statusCode: number): Promise<boolean> {
  const attempt = { at: web.clock.now(), statusCode, error: null, responseBody: null, durationMs: 5 };
  const recorded = await web.db.transaction((tx) =>
    settleDeliveries(tx, [{ delivery, attempt, next }], web.clock.now(), 0),
  );
  return recorded.has(delivery.id);
}

const failed = (delivery: ClaimedDelivery) => nextStep('failed', delivery.failures, [60, 60], web.clock.now());

describe('a claim', () => {
  test('is held by one worker until its lease has run out, to the second', async () => {
    await createSent(web, company.key);
    const held = await claimOne();
    web.clock.advance({ seconds: leaseSeconds - 1 });
    expect((await claim()).deliveries).toEqual([]);
    web.clock.advance({ seconds: 1 });
    const taken = await claimOne();
    expect(taken.id).toBe(held.id);
    expect(taken.lease_id).not.toBe(held.lease_id);
  });

  test('of several workers at the same moment takes each delivery once', async () => {
    await recordEvents(web, company.id, await createDraft(web, company.key), 200);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ limit: 50 })));
    const claimed = claims.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    expect(new Set(claimed).size).toBe(claimed.length);
    const rest = (await claim({ limit: 1000, perEndpoint: 1000 })).deliveries.map(({ id }) => id);
    expect(new Set([...claimed, ...rest]).size).toBe(200);
    expect(claimed.length + rest.length).toBe(200);
  });

  test('that was handed back is free at once', async () => {
    await createSent(web, company.key);
    const held = await claimOne();
    await handBackDeliveries(web.db, [held]);
    expect((await claimOne()).failures).toBe(0);
  });
});

describe('a worker that stalled beyond its lease and wakes up', () => {
  test.each([
    ['delivered', { kind: 'delivered' }],
    ['dead', { kind: 'dead' }],
    ['retry', { kind: 'retry', at: new Date('2030-01-01T00:00:00Z') }],
    ['postponed', { kind: 'postponed', at: new Date('2030-01-01T00:00:00Z') }],
  ] as Array<[string, NextStep]>)('records nothing over the claim of another: %s', async (_, next) => {
    await createSent(web, company.key);
    const stalled = await claimOne();
    web.clock.advance({ seconds: leaseSeconds });
    const current = await claimOne();
    expect(await settle(stalled, next, 200)).toBe(false);
    await handBackDeliveries(web.db, [stalled]);
    expect((await claim()).deliveries).toEqual([]);
    expect(await attemptsOf(web, stalled.id)).toEqual([]);

    expect(await settle(current, failed(current), 500)).toBe(true);
    expect(await deliveriesOf(web, endpoint.id)).toMatchObject([{ status: 'pending', failures: 1 }]);
    expect(await attemptsOf(web, stalled.id)).toMatchObject([{ number: 1, status_code: 500 }]);
  });

  test('records nothing over what another recorded', async () => {
    await createSent(web, company.key);
    const stalled = await claimOne();
    web.clock.advance({ seconds: leaseSeconds });
    const other = await claimOne();
    expect(await settle(other, { kind: 'delivered' }, 200)).toBe(true);
    expect(await settle(stalled, failed(stalled), 500)).toBe(false);
    expect(await settle(other, failed(other), 500)).toBe(false);
    expect(await deliveriesOf(web, endpoint.id)).toMatchObject([{ status: 'delivered', failures: 0 }]);
    expect(await attemptsOf(web, other.id)).toMatchObject([{ number: 1, status_code: 200 }]);
    const counted = await countLastDay(web.db, company.id, web.clock.now());
    expect(counted.get(endpoint.id)).toEqual({ delivered: 1, failed: 0 });
  });

  test('records what it knows while nobody else has claimed it', async () => {
    await createSent(web, company.key);
    const stalled = await claimOne();
    web.clock.advance({ seconds: 10 * leaseSeconds });
    expect(await settle(stalled, { kind: 'delivered' }, 200)).toBe(true);
    expect((await claim()).deliveries).toEqual([]);
  });
});

async function startWorker(): Promise<TestService> {
  const worker = await startTestService({
    databaseUrl: database.url,
    clock: web.clock,
    env: { ROLE: 'worker', WEBHOOK_ALLOW_PRIVATE: 'true', DATA_DIR: web.dataDir },
  });
  onTestFinished(() => worker.stop());
  return worker;
}

test('three workers on one database make each delivery once', async () => {
  const second = await createEndpoint(web, company.id, `${receiver.url}/second`);
  receiver.answer = (response) => setTimeout(() => response.end(), 10 * Math.random());
  await Promise.all([startWorker(), startWorker(), startWorker()]);
  const document = await createDraft(web, company.key);
  let events: string[] = [];
  for (let round = 0; round < 5; round++) events = await recordEvents(web, company.id, document, 60);

  for (const { id } of [endpoint, second]) {
    const deliveries = await settledDeliveries(web, id, events.length);
    expect(deliveries.map(({ status }) => status)).toEqual(Array(300).fill('delivered'));
  }
  for (const path of ['/hook', '/hook/second']) {
    const ids = receiver.received.filter((one) => one.path === path).map(({ event }) => event.id);
    expect(ids.sort()).toEqual(events);
  }
});

test('what a worker held that is gone is delivered by another when the lease runs out, and not before', async () => {
  await createSent(web, company.key);
  const held = await claimOne();
  await startWorker();
  await createSent(web, company.key);
  await eventually(
    () => deliveriesOf(web, endpoint.id),
    ([first, second]) => first?.status === 'pending' && second?.status === 'delivered',
  );
  web.clock.advance({ seconds: leaseSeconds - 1 });
  await createSent(web, company.key);
  await eventually(
    () => deliveriesOf(web, endpoint.id),
    (rows) => rows[2]?.status === 'delivered',
  );
  expect(receiver.received.map(({ event }) => event.id)).not.toContain(JSON.parse(held.body).id);
  await passTime(web, { seconds: 1 });
  await settledDeliveries(web, endpoint.id, 3);
  expect(receiver.received).toHaveLength(3);
});
