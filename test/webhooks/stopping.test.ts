import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { endServers, type Ground, prepareGround, type ServerProcess, startServer } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Company, createCompany, createSent, eventually } from '../support/service.ts';
import { startMailServer } from '../support/smtp.ts';
import { createEndpoint, deliveriesOf, settledDeliveries } from '../support/webhooks.ts';

let ground: Ground;
let company: Company;
let receiver: Receiver;
let endpoint: { id: string };

beforeEach(async () => {
  ground = await prepareGround();
  company = await createCompany(ground);
  receiver = await startReceiver();
  receiver.answer = () => {};
  endpoint = await createEndpoint(ground, company.id, receiver.url);
});
afterEach(async () => {
  await endServers();
  await receiver.stop();
  await ground.clear();
});

/** Longer than a test, so whatever another worker delivers was handed back and did not wait for a lease. */
const patience = { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '600000' };
const hanging = 20;

/** A service with unanswered deliveries in progress, to an endpoint that has always answered before. */
async function startHanging(settings: Record<string, string> = {}): Promise<ServerProcess> {
  await ground.db.query({ name: '', text: `update webhook_endpoints set answers = 'promptly'`, values: [] });
  const server = await startServer({ ...ground.settings, ...patience, ...settings });
  for (let i = 0; i < hanging; i++) await createSent(server, company.key);
  await eventually(
    async () => receiver.received.length,
    (requests) => requests === hanging,
  );
  return server;
}

async function expectStop(server: ServerProcess): Promise<void> {
  const began = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(40_000);
}

async function expectDeliveredAnew(): Promise<void> {
  receiver.answer = (response) => response.end();
  await startServer({ ...ground.settings, ...patience, ROLE: 'worker' });
  const delivered = await settledDeliveries(ground, endpoint.id, hanging);
  for (const { status, failures } of delivered)
    expect({ status, failures }).toEqual({ status: 'delivered', failures: 0 });
}

test('deliveries that hang when it stops are handed back, as are messages, and another worker makes them at once', async () => {
  const mail = await startMailServer(() => 600_000);
  onTestFinished(() => mail.close());
  const server = await startHanging({ SMTP_URL: mail.url, MAIL_FROM: 'sign@acme.example' });
  await expectStop(server);
  expect(await leased()).toBe(0);
  expect(await activeMessages()).toBe(0);
  await expectDeliveredAnew();
});

test('what was acknowledged before it stops is recorded', async () => {
  const server = await startServer({ ...ground.settings, ...patience });
  receiver.answer = (response) => response.flushHeaders();
  await createSent(server, company.key);
  await eventually(
    async () => receiver.received.length,
    (requests) => requests === 1,
  );
  await expectStop(server);
  expect(await deliveriesOf(ground, endpoint.id)).toMatchObject([{ status: 'delivered' }]);
});

test('it stops in time though deliveries hang and its database is silent', async () => {
  const proxy = await startFaultProxy(ground.databaseUrl);
  onTestFinished(() => proxy.close());
  const server = await startHanging({ DATABASE_URL: proxy.through(ground.databaseUrl) });
  proxy.away('frozen');
  await expectStop(server);
});

async function leased(): Promise<number> {
  return countOf(`webhook_deliveries where lease_id is not null`);
}

async function activeMessages(): Promise<number> {
  return countOf(`jobs.job where name = 'deliver-message' and state = 'active'`);
}

async function countOf(what: string): Promise<number> {
  const [row] = await ground.db.query<{ count: number }>({
    name: '',
    text: `select count(*) from ${what}`,
    values: [],
  });
  return Number(row?.count);
}
