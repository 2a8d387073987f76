import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeTemplate, restrictDocument } from '../../src/documents/document-actions.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { closeRemoved, removeEndpoint } from '../../src/webhooks/manage-endpoints.ts';
import { redeliver } from '../../src/webhooks/redeliver.ts';
import { operate } from '../api/operate.ts';
import { isSignedWith, type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { attemptsOf, createEndpoint, deliveriesOf, failedDelivery, settledDeliveries } from '../support/webhooks.ts';

let app: TestService;
let company: Company;
let receiver: Receiver;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

/** Returns the received events in the order of recording, because deliveries may overtake each other. */
async function told(count: number): Promise<Array<[string, object]>> {
  const all = await eventually(
    async () => receiver.received,
    (received) => received.length >= count,
  );
  for (const { headers, event } of all) expect(headers['x-service-event']).toBe(event.event);
  return all
    .map(({ event }) => event)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ event, data }) => [event, data.document]);
}

const shown = async (id: string): Promise<object> =>
  (await call(app, 'GET', `/documents/${id}`, { key: company.key })).body;

/** Acts as a recipient on the signing page. Returns the document as GET shows it before and after. */
async function act(id: string, name: string, path: string, body?: object): Promise<{ before: object; after: object }> {
  const before = await shown(id);
  app.clock.advance({ seconds: 1 });
  const recipients = await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key });
  const recipient = recipients.body.data.find((one: { display_name: string }) => one.display_name === name);
  const link = await mintSigningLink(app.world, app.db, app.service.origin, { id: recipient.id, holder: 1 });
  const response = await fetch(`${link}/${path}`, { method: 'POST', body: JSON.stringify(body ?? {}) });
  expect(response.status, await response.text()).toBe(200);
  return { before, after: await shown(id) };
}

const view = (id: string, name: string) => act(id, name, 'viewed');
const sign = (id: string, name: string) => act(id, name, 'sign', { full_name: name, signature: { kind: 'typed' } });

test("each step of a document's life is told once, with the document as GET shows it at that moment", async () => {
  await createEndpoint(app, company.id, receiver.url);
  const id = await createSent(app, company.key, {
    recipients: [
      { name: 'Ada', email: 'ada@example.com' },
      { name: 'Bob', email: 'bob@example.com' },
      { name: 'Al', email: 'al@example.com', role: 'approver' },
      { name: 'Carl', email: 'carl@example.com', role: 'cc' },
    ],
    content: { sign_order_mode: 'sequential' },
  });
  const sent = await shown(id);
  const adaViewed = await view(id, 'Ada');
  await view(id, 'Ada');
  const adaSigned = await sign(id, 'Ada');
  await sign(id, 'Ada');
  // The document was not opened first. Signing counts as opening it.
  const bobSigned = await sign(id, 'Bob');
  const alViewed = await view(id, 'Al');
  const alApproved = await sign(id, 'Al');
  app.clock.advance({ seconds: 1 });
  await operate(app, id, (tx, document, queue) =>
    voidDocument(app.world, tx, queue, document, 'operator', 'A mistake.'),
  );

  expect(await told(9)).toEqual([
    ['document.sent', sent],
    ['document.viewed', adaViewed.after],
    ['document.signed', adaSigned.after],
    ['document.viewed', bobSigned.before],
    ['document.signed', bobSigned.after],
    ['document.viewed', alViewed.after],
    ['document.signed', alApproved.after],
    ['document.completed', alApproved.after],
    ['document.voided', await shown(id)],
  ]);
  expect(alApproved.after).toMatchObject({ status: 'completed' });
  expect(await shown(id)).toMatchObject({ status: 'voided', voided_reason: 'A mistake.' });
});

test('a refusal is told as document.declined, and nothing after it', async () => {
  await createEndpoint(app, company.id, receiver.url);
  const id = await createSent(app, company.key);
  const { before, after } = await act(id, 'Ada Lovelace', 'decline', { reason: 'The price is wrong.' });
  await act(id, 'Ada Lovelace', 'decline', { reason: 'Again.' });
  expect(await told(3)).toEqual([
    ['document.sent', before],
    ['document.viewed', before],
    ['document.declined', after],
  ]);
  expect(after).toMatchObject({ status: 'declined' });
});

test('an endpoint hears only of the events that it chose', async () => {
  const endpoint = await createEndpoint(app, company.id, receiver.url, ['document.completed', 'document.viewed']);
  const id = await createSent(app, company.key);
  await view(id, 'Ada Lovelace');
  await sign(id, 'Ada Lovelace');
  expect((await told(2)).map(([event]) => event)).toEqual(['document.viewed', 'document.completed']);
  expect(await settledDeliveries(app, endpoint.id)).toHaveLength(2);
});

test('ten endpoints get the same bytes with the same id, each signed with its own secret', async () => {
  const endpoints = [];
  for (let i = 0; i < 10; i++) endpoints.push(await createEndpoint(app, company.id, `${receiver.url}/${i}`));
  await expect(createEndpoint(app, company.id, `${receiver.url}/10`)).rejects.toThrow(/10 webhook endpoints/);
  await createSent(app, company.key);
  await told(10);
  expect(new Set(receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
  for (const [i, { secret }] of endpoints.entries()) {
    const own = receiver.received.filter(({ path }) => path === `/hook/${i}`);
    expect(own.map((received) => isSignedWith(secret, received, app.clock.now()))).toEqual([true]);
    const strangers = receiver.received.filter(({ path }) => path !== `/hook/${i}`);
    expect(strangers.some((received) => isSignedWith(secret, received, app.clock.now()))).toBe(false);
  }
});

test("another account's endpoint hears nothing, nor does one that was removed", async () => {
  const other = await createCompany(app);
  const foreign = await createEndpoint(app, other.id, `${receiver.url}/foreign`);
  const removed = await createEndpoint(app, company.id, `${receiver.url}/removed`);
  const own = await createEndpoint(app, company.id, `${receiver.url}/own`);
  await app.db.transaction((tx) => removeEndpoint(app.world, tx, removed.id, null));
  await createSent(app, company.key);
  await settledDeliveries(app, own.id);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/own']);
  expect([...(await deliveriesOf(app, foreign.id)), ...(await deliveriesOf(app, removed.id))]).toEqual([]);
});

test('what a removed endpoint was still owed is never sent, and closed as dead', async () => {
  const endpoint = await createEndpoint(app, company.id, `${receiver.url}/removed`);
  receiver.answer = (response) => response.writeHead(500).end();
  await createSent(app, company.key);
  await failedDelivery(app, endpoint.id, 1);
  await app.db.transaction((tx) => removeEndpoint(app.world, tx, endpoint.id, null));
  app.clock.advance({ days: 1 });

  receiver.answer = (response) => response.end();
  const next = await createEndpoint(app, company.id, `${receiver.url}/next`);
  await createSent(app, company.key);
  await settledDeliveries(app, next.id);
  await closeRemoved(app.world, app.db);
  const [closed] = await deliveriesOf(app, endpoint.id);
  expect(closed).toMatchObject({ status: 'dead', failures: 1, next_attempt_at: null });
  expect(await attemptsOf(app, closed?.id ?? '')).toHaveLength(1);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/removed', '/hook/next']);
});

test('an attempt under way when its endpoint is removed is recorded all the same', async () => {
  const endpoint = await createEndpoint(app, company.id, receiver.url);
  const open: Array<() => void> = [];
  receiver.answer = (response) => open.push(() => response.end());
  await createSent(app, company.key);
  await eventually(
    async () => open.length,
    (requests) => requests === 1,
  );
  await app.db.transaction((tx) => removeEndpoint(app.world, tx, endpoint.id, null));
  await closeRemoved(app.world, app.db);
  for (const end of open) end();
  const [delivery] = await settledDeliveries(app, endpoint.id);
  expect(delivery?.status).toBe('delivered');
  expect(await attemptsOf(app, delivery?.id ?? '')).toMatchObject([{ status_code: 200 }]);
});

test('the end of a template is told to nobody', async () => {
  const endpoint = await createEndpoint(app, company.id, receiver.url);
  const template = await createDraft(app, company.key);
  await operate(app, template, (tx, document) => makeTemplate(app.world, tx, document, 'operator'));
  await operate(app, template, (tx, document, queue) =>
    voidDocument(app.world, tx, queue, document, 'operator', 'No longer used.'),
  );
  await createSent(app, company.key);
  await settledDeliveries(app, endpoint.id);
  expect(receiver.received.map(({ event }) => event.event)).toEqual(['document.sent']);
  expect(await deliveriesOf(app, endpoint.id)).toHaveLength(1);
});

test('the documents of a test key are told of too', async () => {
  await createEndpoint(app, company.id, receiver.url);
  const id = await createSent(app, company.testKey);
  expect(await told(1)).toEqual([['document.sent', await shown(id)]]);
});

test('of a sensitive paper only the id is told', async () => {
  const endpoint = await createEndpoint(app, company.id, receiver.url, ['document.signed', 'document.voided']);
  const id = await createSent(app, company.key, {
    title: 'Wage sheet of Ada',
    recipients: [
      { name: 'Ada', email: 'ada@example.com' },
      { name: 'Bob', email: 'bob@example.com' },
    ],
  });
  await sign(id, 'Ada');
  await settledDeliveries(app, endpoint.id);
  app.clock.advance({ seconds: 1 });
  await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
  await operate(app, id, (tx, document, queue) =>
    voidDocument(app.world, tx, queue, document, 'operator', 'Wage sheets are paper.'),
  );
  expect(await told(2)).toEqual([
    ['document.signed', expect.objectContaining({ title: 'Wage sheet of Ada' })],
    ['document.voided', { id }],
  ]);
  // Earlier events that are delivered again show no more than the id. Otherwise they are the same.
  const [signed] = receiver.received.map(({ event }) => event);
  const [delivery] = await deliveriesOf(app, endpoint.id);
  await app.db.transaction((tx) => redeliver(app.world, tx, delivery?.id ?? '', null));
  await told(3);
  expect(receiver.received[2]?.event).toEqual({ ...signed, data: { document: { id } } });
});
