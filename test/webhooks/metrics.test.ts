import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostLookup } from '../../src/public-fetch/resolve-host.ts';
import { pauseEndpoint, resumeEndpoint } from '../../src/webhooks/manage-endpoints.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint, deliveriesOf, failedDelivery, passTime, settledDeliveries } from '../support/webhooks.ts';

let app: TestService;
let company: Company;
let receiver: Receiver;
let lookup: HostLookup;

beforeEach(async () => {
  lookup = { kind: 'addresses', addresses: ['127.0.0.1'] };
  app = await startTestService({
    // A lease outlasts each jump of the clock, also one taken just before it.
    env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_DELAYS: '60', WEBHOOK_TIMEOUT_MS: '100000' },
    outside: { hostResolver: { resolve: async () => lookup } },
  });
  company = await createCompany(app);
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
  await app.stop();
});

const hook = () => `http://hooks.example.com:${receiver.port}/hook`;

/** Returns the values of the webhook metrics, by name and labels. */
async function metrics(): Promise<Record<string, number>> {
  const text = await (await fetch(new URL('/metrics', app.baseUrl))).text();
  const lines = text.split('\n').filter((line) => line.startsWith('countersign_webhook_'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

const oldestDue = async () => (await metrics()).countersign_webhook_oldest_due_seconds;

test('the oldest due delivery is told, in flight or at a paused endpoint too, and none when all is delivered', async () => {
  const hanging = await createEndpoint(app, company.id, hook());
  const paused = await createEndpoint(app, company.id, hook());
  await app.db.transaction((tx) => pauseEndpoint(app.world, tx, paused.id, null));
  expect(await oldestDue()).toBe(0);

  const open: Array<() => void> = [];
  receiver.answer = (response) => open.push(() => response.end());
  await createSent(app, company.key);
  await eventually(
    async () => open.length,
    (requests) => requests === 1,
  );
  app.clock.advance({ seconds: 90 });
  expect(await oldestDue()).toBe(90);

  receiver.answer = (response) => response.end();
  for (const end of open) end();
  await settledDeliveries(app, hanging.id);
  app.clock.advance({ seconds: 10 });
  expect(await oldestDue()).toBe(100);

  await app.db.transaction((tx) => resumeEndpoint(app.world, tx, paused.id, null));
  await settledDeliveries(app, paused.id);
  expect(await oldestDue()).toBe(0);
});

test('a retry is due when its time has come', async () => {
  receiver.answer = (response) => response.writeHead(500).end();
  const endpoint = await createEndpoint(app, company.id, hook());
  await createSent(app, company.key);
  await failedDelivery(app, endpoint.id, 1);
  await app.db.transaction((tx) => pauseEndpoint(app.world, tx, endpoint.id, null));
  app.clock.advance({ seconds: 60 });
  expect(await oldestDue()).toBe(0);
  app.clock.advance({ seconds: 5 });
  expect(await oldestDue()).toBe(5);
});

test('attempts are counted by what followed, and the wait before the first one', async () => {
  const endpoint = await createEndpoint(app, company.id, hook());
  await createSent(app, company.key);
  await settledDeliveries(app, endpoint.id);

  await app.db.transaction((tx) => pauseEndpoint(app.world, tx, endpoint.id, null));
  await createSent(app, company.key);
  app.clock.advance({ seconds: 40 });
  receiver.answer = (response) => response.writeHead(500).end();
  await app.db.transaction((tx) => resumeEndpoint(app.world, tx, endpoint.id, null));
  await eventually(
    () => deliveriesOf(app, endpoint.id),
    (rows) => rows[1]?.failures === 1,
  );
  await passTime(app, { seconds: 60 });
  await settledDeliveries(app, endpoint.id, 2);

  lookup = { kind: 'our_fault', reason: 'DNS does not answer' };
  await createSent(app, company.key);
  await eventually(metrics, (values) => values['countersign_webhook_attempts_total{outcome="postponed"}'] === 1);

  const attempts = (outcome: string) => `countersign_webhook_attempts_total{outcome="${outcome}"}`;
  expect(await metrics()).toMatchObject({
    [attempts('delivered')]: 1,
    [attempts('retry')]: 1,
    [attempts('dead')]: 1,
    [attempts('postponed')]: 1,
    countersign_webhook_first_send_seconds_count: 2,
    countersign_webhook_first_send_seconds_sum: 40,
    'countersign_webhook_first_send_seconds_bucket{le="0.005"}': 1,
    'countersign_webhook_first_send_seconds_bucket{le="30"}': 1,
    'countersign_webhook_first_send_seconds_bucket{le="60"}': 2,
  });
});
