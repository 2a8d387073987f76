import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FaultyService, failWrites, onceFree, startFaultyService } from '../faults/faulty-service.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint, deliveriesOf, settledDeliveries } from '../support/webhooks.ts';

/** All its database connections go through the proxy. Those of the worker do not. */
let web: FaultyService;
let app: TestService;
let company: Company;
let receiver: Receiver;
let endpoint: { id: string };

beforeAll(async () => {
  web = await startFaultyService();
  app = await startTestService({
    databaseUrl: web.databaseUrl,
    env: { ROLE: 'worker', WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
});
afterAll(async () => {
  await app.stop();
  await web.stop();
});
beforeEach(async () => {
  company = await createCompany(app);
  receiver = await startReceiver();
  endpoint = await createEndpoint(app, company.id, receiver.url);
});
afterEach(async () => {
  await web.proxy.restore();
  await receiver.stop();
});

const send = (id: string, idempotencyKey = id) =>
  call(web, 'POST', `/documents/${id}/send`, { key: company.key, headers: { 'idempotency-key': idempotencyKey } });

async function eventsOf(id: string): Promise<string[]> {
  const events = await app.db.query<{ id: string }>({
    name: '',
    text: 'select id from events where document_id = $1 order by id',
    values: [id],
  });
  return events.map((event) => event.id);
}

/** Expects that only the one event of the document was delivered. */
async function expectToldOnce(id: string): Promise<void> {
  const events = await eventsOf(id);
  expect(events).toHaveLength(1);
  const deliveries = await settledDeliveries(app, endpoint.id);
  expect(deliveries.map(({ event_id, status }) => [event_id, status])).toEqual([[events[0], 'delivered']]);
  expect(receiver.received.map(({ event }) => event.id)).toEqual(events);
}

test.each([
  ['webhook_deliveries', 'at once'],
  ['webhook_deliveries', 'at commit'],
  ['events', 'at commit'],
  ['idempotency_records', 'at commit'],
] as const)('a send whose write to %s fails %s leaves neither event nor delivery', async (table, when) => {
  const id = await createDraft(web, company.key);
  const mend = await failWrites(app, table, when);
  expect((await send(id)).body.error.code).toBe('document_send_failed');
  expect(await eventsOf(id)).toEqual([]);
  expect(await deliveriesOf(app, endpoint.id)).toEqual([]);
  await mend();
  expect((await send(id)).status).toBe(200);
  await expectToldOnce(id);
});

test.each(['record_event', 'commit'])(
  'a connection lost before %s leaves neither event nor delivery',
  async (statement) => {
    const id = await createDraft(web, company.key);
    web.proxy.cutBefore(statement);
    expect((await send(id)).body.error.code).toBe('document_send_failed');
    expect(await eventsOf(id)).toEqual([]);
    expect(await deliveriesOf(app, endpoint.id)).toEqual([]);
    expect((await onceFree(() => send(id))).status).toBe(200);
    await expectToldOnce(id);
  },
);

test('a change whose commit happened is told of though its answer was lost, and once', async () => {
  const id = await createDraft(web, company.key);
  web.proxy.cutAfter('commit');
  expect((await send(id)).body.error.code).toBe('document_send_failed');
  await expectToldOnce(id);
  expect((await send(id)).status).toBe(200);
  await expectToldOnce(id);
});

test('a change whose answer was replayed is told of once', async () => {
  const id = await createDraft(web, company.key);
  const first = await send(id);
  expect((await send(id)).text).toBe(first.text);
  expect((await send(id)).text).toBe(first.text);
  await expectToldOnce(id);
});

test('of many sends of one document at once, one is told', async () => {
  const id = await createDraft(web, company.key);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => send(id, `${id} ${i}`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.error?.code))).toEqual(new Set([undefined, 'document_not_sendable']));
  await expectToldOnce(id);
});
