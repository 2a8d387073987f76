import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { redeliveryPortion } from '../../src/webhooks/redeliver-matching.ts';
import { redeliveredMax } from '../../src/webhooks/redelivery-limits.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addDelivered } from '../support/settled-backlog.ts';
import {
  createEndpoint,
  deliveriesOf,
  failedDelivery,
  passTime,
  recordEvents,
  settledDeliveries,
} from '../support/webhooks.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

let app: TestService;
let company: Company;
let admin: Visitor;
let receiver: Receiver;
let endpoint: string;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app, 'team');
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  endpoint = (await createEndpoint(app, company.id, receiver.url)).id;
});

const answers =
  (status: number): Receiver['answer'] =>
  (response) =>
    response.writeHead(status, status === 302 ? { location: '/' } : {}).end();
const hangsUp: Receiver['answer'] = (response) => response.destroy();
const invalid = [400, 'invalid_input'];

interface Listed {
  id: string;
  event_id: string;
  event: string;
  status: string;
}

const list = async (query = ''): Promise<Listed[]> =>
  (await admin.get(`/webhooks/${endpoint}/deliveries?limit=100&${query}`)).body.data;
const count = async (query = '') => (await admin.get(`/webhooks/${endpoint}/redelivery?${query}`)).body;
const redeliver = (body: object) => admin.post(`/webhooks/${endpoint}/redelivery`, body);
const countedNow = () => app.clock.now().toISOString();

/** Sends a document whose delivery gets this answer. Returns the id of the document. */
async function deliverWith(answer: Receiver['answer']): Promise<string> {
  receiver.answer = answer;
  const attempted = receiver.received.length + 1;
  const id = await createSent(app, company.key);
  await expect.poll(() => attemptCount()).toBe(attempted);
  app.clock.advance({ seconds: 10 });
  return id;
}

async function attemptCount(): Promise<number> {
  const rows = await app.db.query<{ attempts: number }>({
    name: '',
    text: `select count(*)::int as attempts from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
           where d.endpoint_id = $1`,
    values: [endpoint],
  });
  return rows[0]?.attempts ?? 0;
}

async function pause(): Promise<void> {
  await admin.post(`/webhooks/${endpoint}/pause`, {});
}

test('a resumed endpoint gets its retries at once, and the failures before the pause count on', async () => {
  await deliverWith(answers(500));
  for (const [failures, seconds] of [
    [1, 60],
    [2, 300],
  ] as const) {
    await failedDelivery(app, endpoint, failures);
    await passTime(app, { seconds });
  }
  await failedDelivery(app, endpoint, 3);
  await admin.post(`/webhooks/${endpoint}/pause`, {});
  await passTime(app, { minutes: 1 });
  expect((await admin.post(`/webhooks/${endpoint}/resume`, {})).body).toMatchObject({ paused_at: null });
  const delivery = await failedDelivery(app, endpoint, 4);
  expect(Date.parse(delivery.next_attempt_at ?? '') - app.clock.now().getTime()).toBeGreaterThan(7_000_000);

  await admin.post(`/webhooks/${endpoint}/resume`, {}); // again, as after a lost answer
  expect(await deliveriesOf(app, endpoint)).toMatchObject([{ next_attempt_at: delivery.next_attempt_at }]);

  receiver.answer = answers(200);
  await admin.post(`/webhooks/${endpoint}/pause`, {});
  app.clock.advance({ minutes: 1 });
  await admin.post(`/webhooks/${endpoint}/resume`, {});
  expect(await settledDeliveries(app, endpoint)).toMatchObject([{ status: 'delivered', failures: 4 }]);
});

test('deliveries are found by status, type, answer, document, event and time, and bad filters are refused', async () => {
  const good = await deliverWith(answers(200));
  const moved = await deliverWith(answers(302));
  const from = countedNow();
  const failing = await deliverWith(answers(503));
  const refused = await deliverWith(answers(404));
  const silent = await deliverWith(hangsUp);
  await admin.post(`/documents/${good}/void`, { reason: 'Wrong' });
  await expect.poll(() => attemptCount()).toBe(6);

  const aboutOf = async (query: string) => {
    const found = await list(query);
    const events = await Promise.all(found.map(({ id }) => admin.get(`/deliveries/${id}`)));
    return events.map(({ body }) => JSON.parse(body.request_body).data.document.id);
  };
  expect(await aboutOf('status=delivered')).toEqual([good]);
  expect(await aboutOf('status=dead')).toEqual([moved]);
  expect(await aboutOf('status=pending')).toEqual([good, silent, refused, failing]);
  expect(await aboutOf('event=document.voided')).toEqual([good]);
  expect(await aboutOf('answer=2xx')).toEqual([good]);
  expect(await aboutOf('answer=3xx')).toEqual([moved]);
  expect(await aboutOf('answer=4xx')).toEqual([refused]);
  expect(await aboutOf('answer=5xx')).toEqual([failing]);
  expect(await aboutOf('answer=none')).toEqual([good, silent]);
  expect(await aboutOf(`search=${good}`)).toEqual([good, good]);
  expect(await aboutOf(`search=${good}&event=document.sent`)).toEqual([good]);
  const [sent] = await list(`search=${moved}`);
  expect(await aboutOf(`search=%20${sent?.event_id.toUpperCase()}%20`)).toEqual([moved]);
  expect(await list(`search=${app.world.newId()}`)).toEqual([]);
  expect(await aboutOf(`from=${from}&status=pending`)).toEqual([good, silent, refused, failing]);
  expect(await aboutOf(`to=${from}`)).toEqual([moved, good]);
  for (const bad of [
    'status=failed',
    'event=x',
    'answer=200',
    'search=zebra',
    'search=%00',
    'from=monday',
    'to=2026-13-01T00:00:00Z',
  ]) {
    expect(refusal(await admin.get(`/webhooks/${endpoint}/deliveries?${bad}`)), bad).toEqual(invalid);
    expect(refusal(await admin.get(`/webhooks/${endpoint}/redelivery?${bad}`)), bad).toEqual(invalid);
  }
  const [name, value] = ['status', 'failed'];
  expect(refusal(await redeliver({ counted_at: from, [name]: value }))).toEqual(invalid);
  for (const bad of [
    {},
    { counted_at: 'now' },
    { counted_at: '2026-02-31T99:00:00Z' },
    { counted_at: from, after: 'x' },
  ]) {
    expect(refusal(await redeliver(bad)), JSON.stringify(bad)).toEqual(invalid);
  }
});

test('pages meet without a gap, and a cursor belongs to its filter', async () => {
  const document = await createDraft(app, company.key);
  await pause();
  await recordEvents(app, company.id, document, 7);
  const paged: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await admin.get(
      `/webhooks/${endpoint}/deliveries?limit=3&status=pending${cursor === '' ? '' : `&starting_after=${cursor}`}`,
    );
    paged.push(...page.body.data.map(({ id }: Listed) => id));
    if (page.body.next_cursor !== null) {
      const other = `/webhooks/${endpoint}/deliveries?status=dead&starting_after=${page.body.next_cursor}`;
      expect(refusal(await admin.get(other))).toEqual(invalid);
    }
    cursor = page.body.next_cursor;
  }
  expect(paged).toEqual((await deliveriesOf(app, endpoint)).map(({ id }) => id).reverse());
});

test('what matches is counted, sent again once however often it is asked for, and audited', async () => {
  const good = await deliverWith(answers(200));
  await deliverWith(answers(302));
  await deliverWith(answers(302));
  expect(await count()).toEqual({ events: 3, counted_at: expect.any(String) });
  const { events, counted_at } = await count('status=dead');
  expect(events).toBe(2);

  app.clock.advance({ seconds: 5 });
  receiver.answer = answers(200);
  const clicks = await Promise.all([1, 2, 3].map(() => redeliver({ status: 'dead', counted_at })));
  expect(clicks.reduce((sum, { body }) => sum + body.redelivered, 0)).toBe(2);
  await settledDeliveries(app, endpoint, 5);
  expect((await redeliver({ status: 'dead', counted_at })).body).toEqual({ redelivered: 0, next: null });
  expect((await redeliver({ counted_at })).body).toEqual({ redelivered: 1, next: null });
  expect((await redeliver({ counted_at })).body).toEqual({ redelivered: 0, next: null });
  expect((await settledDeliveries(app, endpoint, 6)).map(({ event_id }) => event_id).at(-1)).toBe(
    (await list(`search=${good}`))[0]?.event_id,
  );
  expect(await count('status=dead')).toMatchObject({ events: 0 });
  const audited = await app.db.query({
    name: '',
    text: `select detail from account_audit_entries where account_id = $1 and action = 'webhook_redelivered' order by id`,
    values: [company.id],
  });
  expect(audited).toMatchObject([
    { detail: { endpoint_ids: [endpoint], filter: { status: 'dead' }, redelivered: 2 } },
    { detail: { endpoint_ids: [endpoint], filter: { status: null }, redelivered: 1 } },
  ]);
});

test('test events, pending deliveries and types that the endpoint no longer chooses are not sent again', async () => {
  await deliverWith(answers(200));
  await admin.post(`/webhooks/${endpoint}/test`, { event: 'document.sent' });
  await settledDeliveries(app, endpoint, 2);
  expect(await count()).toMatchObject({ events: 1 });
  await pause();
  await createSent(app, company.key);
  app.clock.advance({ seconds: 1 });
  expect(await count('status=pending')).toMatchObject({ events: 0 });
  await admin.post(`/webhooks/${endpoint}/events`, { events: ['document.voided'] });
  expect(await count()).toMatchObject({ events: 0 });
  expect((await redeliver({ counted_at: countedNow() })).body.redelivered).toBe(0);
});

test('a long redelivery is made in portions, oldest first, and stops between two of them', async () => {
  const document = await createDraft(app, company.key);
  const recorded = await settledBacklog(document, redeliveryPortion + 100);
  await pause();
  const { events, counted_at } = await count();
  expect(events).toBe(redeliveryPortion + 100);
  app.clock.advance({ seconds: 1 });
  const first = (await redeliver({ counted_at })).body;
  expect(first).toEqual({ redelivered: redeliveryPortion, next: expect.any(String) });
  expect(await pendingEvents()).toEqual(recorded.slice(0, redeliveryPortion));
  expect((await redeliver({ counted_at })).body.redelivered).toBe(100);
  expect((await redeliver({ counted_at, after: first.next })).body).toEqual({ redelivered: 0, next: null });
  expect(await pendingEvents()).toEqual(recorded);
});

test('more matching events than the maximum are refused before anything is sent', async () => {
  const document = await createDraft(app, company.key);
  await settledBacklog(document, redeliveredMax + 1);
  expect(refusal(await admin.get(`/webhooks/${endpoint}/redelivery`))).toEqual([409, 'too_many_events']);
});

const settledBacklog = (documentId: string, size: number) =>
  addDelivered(app, { accountId: company.id, documentId, endpointId: endpoint }, size);

async function pendingEvents(): Promise<string[]> {
  return (await deliveriesOf(app, endpoint))
    .filter(({ status }) => status === 'pending')
    .map(({ event_id }) => event_id);
}
