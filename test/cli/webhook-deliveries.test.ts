import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { execute as sql } from '../support/embedded.ts';
import { isSignedWith, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { type Place, place, placeOn } from './countersign.ts';

/** The service has the same settings, because it decrypts what the commands encrypt. */
const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', SECRET_KEY: randomBytes(32).toString('base64') };
const epoch = '2000-01-01T00:00:00Z';

interface Endpoint {
  id: string;
  secret: string;
}

interface Delivery {
  id: string;
  event_id: string;
  event: string;
  status: string;
  attempts: Array<{ status_code: number | null }>;
  next_attempt_at: string | null;
  redelivery_of: string | null;
  created_at: string;
}

let app: TestService;
let at: Place;
let company: Company;
let receiver: Receiver;

/** The commands use the real time, so the service that delivers must too. */
const startService = (more: { databaseUrl?: string } = {}) =>
  startTestService({ env: settings, outside: { clock: systemClock }, ...more });

beforeAll(async () => {
  app = await startService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  at = placeOn({ DATABASE_URL: app.databaseUrl, ...settings });
  company = await createCompany(app);
  receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
});

const register = (events = 'all', where = at, account = company.id) =>
  where.json<Endpoint>('webhook', 'create', '--account', account, '--url', receiver.url, '--events', events);

const deliveries = (id: string, ...filter: string[]) => at.json<Delivery[]>('webhook', 'deliveries', id, ...filter);

const redeliverFailed = async (id: string, since = epoch, where = at) =>
  (await where.json<{ redelivered: number }>('webhook', 'redeliver-failed', id, '--since', since)).redelivered;

const received = (count: number) =>
  eventually(
    async () => receiver.received,
    (all) => all.length >= count,
  ) as Promise<[Received, ...Received[]]>;

const settled = (id: string, status: string, count: number) =>
  eventually(
    () => deliveries(id),
    (all) => all.filter((delivery) => delivery.status === status).length === count,
  );

const redirect: Receiver['answer'] = (response) => response.writeHead(302, { location: '/' }).end('moved');

test('a delivery has the fields that are promised, with every attempt and what was answered', async () => {
  const { id, secret } = await register();
  await createSent(app, company.key);
  const [delivery] = await settled(id, 'delivered', 1);
  expect(delivery).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    event_id: receiver.received[0]?.event.id,
    event: 'document.sent',
    status: 'delivered',
    attempts: [
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        status_code: 200,
        error: null,
        response_body: 'thanks',
        duration_ms: expect.any(Number),
      },
    ],
    next_attempt_at: null,
    redelivery_of: null,
    created_at: expect.any(String),
  });
  expect(JSON.stringify(await deliveries(id))).not.toContain(secret);
});

test('one that failed says when it is tried again, and why it failed', async () => {
  const { id } = await register();
  receiver.answer = (response) => response.writeHead(503).end('upstream\u001b[2J down');
  await createSent(app, company.key);
  const [delivery] = await eventually(
    () => deliveries(id),
    ([first]) => first?.attempts.length === 1,
  );
  expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status_code: 503 }] });
  expect(Date.parse(delivery?.next_attempt_at as string)).toBeGreaterThan(Date.now());
  expect(await at.json('webhook', 'list', '--account', company.id)).toMatchObject([
    { failing_since: expect.any(String) },
  ]);

  const shown = (await at.run('webhook', 'deliveries', id)).stdout.toString();
  expect(shown).toMatch(
    /^\S{36} {2}document\.sent {2}pending, due \S+Z\n {2}event \S{36}\n {2}\S+Z {2}503 \(\d+ ms\): upstream/,
  );
  expect(shown).not.toMatch(/[^\P{C}\n]/u);
});

test('deliveries come newest first, and can be filtered and limited', async () => {
  const { id } = await register();
  await createSent(app, company.key);
  await settled(id, 'delivered', 1);
  receiver.answer = redirect;
  await createSent(app, company.key);
  const all = await settled(id, 'dead', 1);
  expect(all.map(({ status }) => status)).toEqual(['dead', 'delivered']);
  expect(await deliveries(id, '--limit', '1')).toEqual(all.slice(0, 1));
  expect(await deliveries(id, '--status', 'delivered')).toEqual(all.slice(1));
  expect(await deliveries(id, '--status', 'pending')).toEqual([]);
});

test('redelivering sends the same bytes with the same event id, under a fresh signature', async () => {
  const { id, secret } = await register();
  await createSent(app, company.key);
  const [first] = await settled(id, 'delivered', 1);
  const open: Array<() => void> = [];
  receiver.answer = (response) => open.push(() => response.end());
  const fresh = await at.json<Delivery>('webhook', 'redeliver', first?.id as string);
  expect(fresh).toMatchObject({ event_id: first?.event_id, event: 'document.sent', redelivery_of: first?.id });
  expect(fresh).toMatchObject({ status: 'pending', attempts: [], next_attempt_at: expect.any(String) });
  await eventually(
    async () => open.length,
    (requests) => requests === 1,
  );
  for (const end of open) end();
  const all = await settled(id, 'delivered', 2);
  expect(all.map((delivery) => delivery.id)).toEqual([fresh.id, first?.id]);
  const [original, again] = receiver.received;
  expect(again?.raw.equals(original?.raw as Buffer)).toBe(true);
  expect(isSignedWith(secret, again as Received, new Date())).toBe(true);
});

test('redelivering what failed delivers each event that was missed once, and the second time nothing', async () => {
  const { id } = await register();
  await createSent(app, company.key);
  await settled(id, 'delivered', 1);
  receiver.answer = redirect;
  for (const title of ['one', 'two', 'three']) await createSent(app, company.key, { title });
  await settled(id, 'dead', 3);
  expect(await redeliverFailed(id)).toBe(3);
  await settled(id, 'dead', 6); // they fail again: three events are still missed, though six deliveries are dead
  receiver.answer = (response) => response.end();
  expect(await redeliverFailed(id)).toBe(3);
  expect(await redeliverFailed(id)).toBe(0);
  await settled(id, 'delivered', 4);
  expect(await redeliverFailed(id)).toBe(0);
  const titles = receiver.received.slice(-3).map(({ event }) => event.data.document.title);
  expect(titles.sort()).toEqual(['one', 'three', 'two']);
});

test('only events recorded since the time given are delivered again', async () => {
  const { id } = await register();
  receiver.answer = redirect;
  await createSent(app, company.key);
  await settled(id, 'dead', 1);
  const { created_at: recordedAt } = receiver.received[0]?.event ?? {};
  const later = new Date(Date.parse(recordedAt) + 1).toISOString();
  expect(await redeliverFailed(id, later)).toBe(0);
  expect((await at.run('webhook', 'redeliver-failed', id, '--since', later)).stdout.toString()).toBe(
    'nothing is to be delivered again\n',
  );
  expect(await redeliverFailed(id, recordedAt)).toBe(1);
});

test('more than a portion is delivered again, also when two ask for it at once', async () => {
  const away = await place(settings);
  const { id: account } = await away.json<{ id: string }>('account', 'create', '--name', 'Acme', '--plan', 'team');
  const { id } = await register('all', away, account);
  await sql(
    away.databaseUrl as string,
    `with events as (
       insert into events (id, account_id, document_id, type, body, created_at)
       select gen_random_uuid(), '${account}', null, 'document.sent', '{}', '2026-01-01' from generate_series(1, 2500)
       returning id
     )
     insert into webhook_deliveries (id, account_id, endpoint_id, event_id, status, created_at, settled_at)
     select gen_random_uuid(), '${account}', '${id}', id, 'dead', '2026-01-01', '2026-01-02' from events`,
  );
  const counts = await Promise.all([1, 2].map(() => redeliverFailed(id, epoch, away)));
  expect(counts.reduce((sum, count) => sum + count)).toBe(2500);
  const [{ events }] = (await sql(
    away.databaseUrl as string,
    `select count(distinct event_id)::int as events from webhook_deliveries where redelivery_of is not null and status = 'pending'`,
  )) as [{ events: number }];
  expect(events).toBe(2500);
  const [{ recorded }] = (await sql(
    away.databaseUrl as string,
    `select sum((detail->>'redelivered')::int)::int as recorded from account_audit_entries
     where account_id = '${account}' and action = 'webhook_redelivered'`,
  )) as [{ recorded: number }];
  expect(recorded).toBe(2500);
});

test('a paused endpoint is owed what is asked for, which waits until it goes on', async () => {
  const { id } = await register();
  await at.json('webhook', 'pause', id);
  await createSent(app, company.key);
  const { code, stderr } = await at.run('webhook', 'test', id);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `countersign: the endpoint is paused: this waits until countersign webhook resume ${id}\n`,
  });
  expect((await deliveries(id)).map(({ status }) => status)).toEqual(['pending', 'pending']);
  expect(receiver.received).toEqual([]);
  await at.json('webhook', 'resume', id);
  await settled(id, 'delivered', 2);
  const [latest] = await deliveries(id, '--limit', '1');
  await at.json('webhook', 'pause', id);
  expect((await at.run('webhook', 'redeliver', latest?.id as string)).stderr).toMatch(/the endpoint is paused/);
});

test('a test event is like any other, of a document that does not exist, to this endpoint alone', async () => {
  const { id, secret } = await register('document.sent');
  const { id: other } = await register();
  const owed = await at.json<Delivery>('webhook', 'test', id);
  expect(owed.event).toBe('document.completed');
  const [request] = await received(1);
  expect(isSignedWith(secret, request, new Date())).toBe(true);
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': 'document.completed',
  });
  const real = await call(app, 'GET', `/documents/${await createSent(app, company.key)}`, { key: company.key });
  const { document } = request.event.data;
  expect(request.event).toEqual({
    id: owed.event_id,
    event: 'document.completed',
    created_at: expect.any(String),
    data: { document: expect.objectContaining({ title: 'Test event', status: 'completed' }) },
  });
  expect(Object.keys(document)).toEqual(Object.keys(real.body));
  expect((await call(app, 'GET', `/documents/${document.id}`, { key: company.key })).status).toBe(404);
  expect((await deliveries(other)).map(({ event }) => event)).toEqual(['document.sent']);
  expect(await sql(app.databaseUrl, `select document_id from events where id = '${owed.event_id}'`)).toEqual([
    { document_id: null },
  ]);
});

test.each([
  ['document.sent', { status: 'sent', completed_at: null, voided_at: null }],
  ['document.viewed', { status: 'sent', completed_at: null, voided_at: null }],
  ['document.signed', { status: 'partially_signed', completed_at: null, voided_at: null }],
  ['document.declined', { status: 'declined', completed_at: null, voided_at: null }],
  ['document.voided', { status: 'voided', voided_at: expect.any(String), voided_reason: expect.any(String) }],
])('a test of %s tells of a document in that state', async (event, state) => {
  const { id } = await register('document.completed');
  await at.json('webhook', 'test', id, '--event', event);
  const [request] = await received(1);
  expect(request.event).toMatchObject({ event, data: { document: state } });
});

test('after a roll deliveries are signed with both secrets', async () => {
  const { id, secret } = await register();
  const rolled = await at.json<Endpoint>('webhook', 'roll', id);
  expect(rolled).toMatchObject({ id, secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{32}$/) });
  await at.json('webhook', 'test', id);
  const [request] = await received(1);
  expect(request.headers['x-service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  expect(isSignedWith(secret, request, new Date())).toBe(true);
  expect(isSignedWith(rolled.secret, request, new Date())).toBe(true);
});

test('what a removed endpoint is owed is closed, can still be seen, and is not redelivered', async () => {
  const { id } = await register();
  await at.json('webhook', 'pause', id);
  await createSent(app, company.key);
  await at.json('webhook', 'remove', id);
  const [closed] = await deliveries(id);
  expect(closed).toMatchObject({ status: 'dead', attempts: [], next_attempt_at: null });
  expect(await at.fails(1, 'webhook', 'redeliver', closed?.id as string)).toBe(
    `the webhook endpoint of this delivery, ${id}, was removed`,
  );
  expect(receiver.received).toEqual([]);
});

test('what is asked for while no service runs is delivered when one does', async () => {
  const away = await place(settings);
  const { id: account } = await away.json<{ id: string }>('account', 'create', '--name', 'Acme', '--plan', 'team');
  const { id, secret } = await register('all', away, account);
  const owed = await away.json<Delivery>('webhook', 'test', id);
  await away.json('webhook', 'redeliver', owed.id);
  const later = await startService({ databaseUrl: away.databaseUrl as string });
  try {
    const requests = await received(2);
    expect(requests.map(({ event }) => event.id)).toEqual([owed.event_id, owed.event_id]);
    expect(requests.every((request) => isSignedWith(secret, request, new Date()))).toBe(true);
  } finally {
    await later.stop();
  }
});

test('deliveries are filtered, and what matches is counted and sent again, but nothing that waits', async () => {
  const { id } = await register();
  const lease = await createSent(app, company.key);
  await settled(id, 'delivered', 1);
  receiver.answer = redirect;
  const between = new Date().toISOString();
  const roof = await createSent(app, company.key);
  await settled(id, 'dead', 1);
  const documents = async (...filter: string[]) => {
    const found = new Set((await deliveries(id, ...filter)).map(({ event_id }) => event_id));
    return receiver.received.filter(({ event }) => found.has(event.id)).map(({ event }) => event.data.document.id);
  };
  expect(await documents('--status', 'dead', '--event', 'document.sent')).toEqual([roof]);
  expect(await documents('--answer', '2xx')).toEqual([lease]);
  expect(await documents('--answer', 'none')).toEqual([]);
  expect(await documents('--search', lease)).toEqual([lease]);
  expect(await documents('--from', between)).toEqual([roof]);
  expect(await documents('--to', between)).toEqual([lease]);
  expect(await at.fails(2, 'webhook', 'deliveries', id, '--search', 'lease')).toMatch(/--search must be the id/);
  expect(await at.fails(2, 'webhook', 'deliveries', id, '--answer', '200')).toMatch(/--answer must be one of 2xx/);

  const again = ['webhook', 'redeliver-matching', id];
  expect(await at.json(...again, '--dry-run')).toEqual({ id, events: 2, redelivered: 0 });
  receiver.answer = (response) => response.writeHead(200).end();
  await at.json('webhook', 'pause', id);
  const sent = await at.run(...again, '--status', 'dead');
  expect(sent.stdout.toString()).toBe('1 event is to be delivered again\n');
  expect(sent.stderr.toString()).toMatch(/the endpoint is paused/);
  expect(await at.json(...again, '--search', roof)).toEqual({ id, events: 0, redelivered: 0 });
  await at.json('webhook', 'resume', id);
  await settled(id, 'delivered', 2);
  const hours = await at.json<{ periods: object[] }>('webhook', 'attempts', id);
  expect(hours).toMatchObject({ delivered: 2, failed: 1, p95_ms: expect.any(Number) });
  expect(hours.periods).toHaveLength(24);
  expect((await at.json<{ periods: object[] }>('webhook', 'attempts', id, '--days')).periods).toHaveLength(30);
  expect((await at.run('webhook', 'attempts', id)).stdout.toString()).toMatch(/^total +2 +1 +\d+ +\d+$/m);
  expect(await at.fails(1, 'webhook', 'redeliver-matching', 'x')).toMatch(/there is no webhook endpoint/);
});
