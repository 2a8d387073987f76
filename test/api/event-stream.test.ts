import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { setPlan } from '../../src/accounts/manage-accounts.ts';
import { readPlanTable } from '../../src/accounts/plans.ts';
import type { Caller } from '../../src/api/caller.ts';
import { type EventRoutesOptions, eventRoutes } from '../../src/api/event-routes.ts';
import { documentsChannel } from '../../src/documents/audit.ts';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { createLiveUpdates } from '../../src/documents/live-updates.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { firstIdAt, madeAt } from '../../src/platform/ids.ts';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { openStream } from '../support/event-stream.ts';
import { startReceiver } from '../support/receiver.ts';
import {
  type Answer,
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { operate } from './operate.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let company: Company;
/** The routes are next to the API, not below /api/v1. */
let atOrigin: { baseUrl: string };

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  company = await createCompany(app);
  atOrigin = { baseUrl: app.service.origin };
});
afterAll(() => app.stop());

async function open(key = company.key, lastEventId?: string) {
  const stream = await openStream(app.service.origin, key, lastEventId);
  onTestFinished(() => stream.close());
  return stream;
}

const trigger = (key: string, body: unknown): Promise<Answer> => call(atOrigin, 'POST', '/events', { key, body });

test('a stream has each event once, with the bytes that a webhook has, and no earlier ones', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await createSent(app, company.key);
  await createEndpoint(app, company.id, receiver.url);
  const stream = await open();
  const other = await open();
  const first = await createSent(app, company.key);
  const second = await createSent(app, company.key);
  const events = await stream.atLeast(2);
  await eventually(
    async () => receiver.received,
    (received) => received.length >= 2,
  );
  const delivered = receiver.received.map(({ event, raw }) => ({ id: event.id, type: event.event, body: `${raw}` }));
  expect(events).toHaveLength(2);
  expect(new Set(events)).toEqual(new Set(delivered));
  expect(events.map(({ body }) => JSON.parse(body).data.document.id)).toEqual([first, second]);
  expect(await other.atLeast(2)).toEqual(events);
});

test('after an interruption it continues with what was missed', async () => {
  const before = await open();
  await createSent(app, company.key);
  const [last] = await before.atLeast(1);
  before.close();
  app.clock.advance({ minutes: 5 });
  const missed = await createSent(app, company.key);
  const after = await open(company.key, last?.id);
  const documents = () => after.received.map(({ body }) => JSON.parse(body).data.document.id);
  await eventually(
    async () => documents(),
    (ids) => ids.includes(missed),
  );
  expect(new Set(documents()).size).toBe(documents().length);
});

test('a stream that was interrupted before its first event continues from its position', async () => {
  const own = await createCompany(app);
  const before = await unread(app.service.origin, own.key);
  const [opening] = await once(before.setEncoding('utf8'), 'data');
  before.destroy();
  const position = /^retry: 2000\nid: ([0-9a-f-]{36})\n\n$/.exec(opening)?.[1];
  app.clock.advance({ minutes: 5 });
  const missed = await createSent(app, own.key);
  const [event] = await (await open(own.key, position)).atLeast(1);
  expect(JSON.parse(event?.body ?? '').data.document.id).toBe(missed);
});

test.each([
  ['commits after one with a higher id', 3000],
  ['has a lower id because of a clock that is a minute behind', 60_000],
])('an event that %s is not lost', async (_why, earlierMs) => {
  const stream = await open();
  await createSent(app, company.key);
  const [seen] = await stream.atLeast(1);
  const earlier = firstIdAt(new Date(madeAt(seen?.id ?? '').getTime() - earlierMs));
  await app.db.query({
    name: '',
    text: `insert into events (id, account_id, document_id, type, body, created_at) values ($1, $2, null, $3, $4, $5)`,
    values: [earlier, company.id, 'document.sent', '{"late":true}', app.clock.now()],
  });
  await createSent(app, company.key);
  const ids = (await stream.atLeast(3)).map(({ id }) => id);
  expect(ids.slice(0, 2)).toEqual([seen?.id, earlier]);
});

test("another company's events never appear, and a restricted document shows its id only", async () => {
  const stream = await open();
  const stranger = await createCompany(app);
  await createSent(app, stranger.key);
  const id = await createSent(app, company.key);
  await stream.atLeast(1);
  await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
  await operate(app, id, (tx, document, queue) => voidDocument(app.world, tx, queue, document, 'operator', 'Wrong'));
  const events = await stream.atLeast(2);
  expect(JSON.parse(events[1]?.body ?? '').data).toEqual({ document: { id } });
  expect(events).toHaveLength(2);
});

test('a revoked key hears nothing more', async () => {
  const { id, key } = await company.keyWith(['documents:read']);
  const stream = await open(key);
  await app.db.transaction((tx) => revokeKey(app.world, tx, id, null));
  await createSent(app, company.key);
  await eventually(
    async () => stream.hasEnded(),
    (hasEnded) => hasEnded,
  );
  expect(stream.received).toEqual([]);
});

test('a company whose plan has no API access any more hears nothing more', async () => {
  const lapsed = await createCompany(app);
  const id = await createSent(app, lapsed.key);
  const stream = await open(lapsed.key);
  await setPlan(app.db, lapsed.id, 'free');
  await operate(app, id, (tx, document, queue) => voidDocument(app.world, tx, queue, document, 'operator', 'Wrong'));
  await eventually(
    async () => stream.hasEnded(),
    (hasEnded) => hasEnded,
  );
  expect(stream.received).toEqual([]);
});

test('it needs a key that may read documents, and a plan with API access', async () => {
  const get = (key: string | null) => call(atOrigin, 'GET', '/events', { key });
  expectRefusal(await get(null), 'missing_authorization');
  expectRefusal(await get('svc_live_unknown'), 'invalid_api_key');
  const { key } = await company.keyWith(['documents:write']);
  expectRefusal(await get(key), 'insufficient_scope', 'scopes');
  expectRefusal(await get((await createCompany(app, 'free')).key), 'api_access_required');
});

test('a key has at most 20 streams at once', async () => {
  const { key } = await company.keyWith(['documents:read']);
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(key)));
  const refused = await call(atOrigin, 'GET', '/events', { key });
  expectRefusal(refused, 'rate_limit_exceeded');
  expect(refused.headers.get('retry-after')).toBe('60');
  for (const stream of streams) stream.close();
  await eventually(
    () =>
      open(key).then(
        () => true,
        () => false,
      ),
    (isOpen) => isOpen,
  );
});

test('the keys of a company have at most 40 streams together, and other companies have theirs', async () => {
  const crowded = await createCompany(app);
  const streams = [];
  for (let i = 0; i < 2; i++) {
    const { key } = await crowded.keyWith(['documents:read']);
    streams.push(...(await Promise.all(Array.from({ length: 20 }, () => open(key)))));
  }
  const refused = await call(atOrigin, 'GET', '/events', { key: crowded.key });
  expectRefusal(refused, 'rate_limit_exceeded');
  expect(refused.body.error.message).toMatch(/^The API keys of this company have too many/);
  expect(refused.headers.get('retry-after')).toBe('60');
  await open();
  streams[0]?.close();
  await eventually(
    () =>
      open(crowded.key).then(
        () => true,
        () => false,
      ),
    (isOpen) => isOpen,
  );
});

test('a process with as many streams as it can serve answers server_busy before it reads the key', async () => {
  const routes = Fastify();
  onTestFinished(() => routes.close());
  const live = createLiveUpdates('postgres://unused', app.world.log, 0);
  const admit = () => Promise.reject(new Error('the key was read'));
  await routes.register(eventRoutes, { live, admit, guardIp: () => {} } as unknown as EventRoutesOptions);
  expect((await routes.inject('/events')).json()).toMatchObject({ code: 'server_busy' });
  const watcher = { accountId: 'a', watcherId: 'w', tell: () => {}, end: () => {} };
  for (const via of ['api', 'console'] as const) expect(live.watch({ ...watcher, via })).toBe('of_process');
});

test('a client that reads slowly gets every event, and the server waits for it', async () => {
  const own = await createCompany(app);
  const response = await unread(app.service.origin, own.key);
  const ids = await recordLargeEvents(own);
  await sleep(1000); // longer than the server needs for what nobody reads
  const received = idsOf(response);
  await eventually(
    async () => received.length,
    (count) => count >= ids.length || response.readableEnded,
  );
  expect(received).toEqual(ids);
});

test('a client that reads nothing for too long is cut off, and loses nothing when it returns', async () => {
  const own = await createCompany(app);
  const [key] = await app.db.query<{ id: string }>({
    name: '',
    text: 'select id from api_keys where account_id = $1',
    values: [own.id],
  });
  const caller = { keyId: key?.id, accountId: own.id, mode: 'live', scopes: ['documents:read'] } as Caller;
  const routes = Fastify();
  const live = createLiveUpdates(app.databaseUrl, app.world.log);
  onTestFinished(async () => {
    await routes.close();
    await live.stop();
  });
  await routes.register(eventRoutes, {
    ...{ world: app.world, database: app.db, live, plans: readPlanTable(null), guardIp: () => {} },
    admit: async () => ({ rate: null, outcome: { caller } }) as Awaited<ReturnType<EventRoutesOptions['admit']>>,
    unreadMsMax: 200,
  });
  const origin = await routes.listen({ port: 0, host: '127.0.0.1' });
  const response = await unread(origin, own.key);
  const ids = await recordLargeEvents(own);
  await eventually(
    () =>
      new Promise<number>((resolve, reject) =>
        routes.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    (connections) => connections === 0,
  );
  const received = idsOf(response);
  await new Promise((resolve) => response.once('close', resolve));
  expect(response.complete).toBe(false);
  expect(received.length).toBeGreaterThan(0);
  expect(received).toEqual(ids.slice(0, received.length));

  // An event counts as received only once it has arrived whole.
  const rest = await open(own.key, received.at(-2));
  await eventually(
    async () => new Set([...received.slice(0, -1), ...rest.received.map(({ id }) => id)]),
    (all) => ids.every((id) => all.has(id)),
  );
});

/** Opens a stream of which nothing is read yet. */
async function unread(origin: string, key: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` };
  const [response] = (await once(httpGet(`${origin}/events`, { headers }), 'response')) as [IncomingMessage];
  onTestFinished(() => void response.destroy());
  expect(response.statusCode).toBe(200);
  return response;
}

/** More than the buffers of two sockets hold. Returns their ids. */
async function recordLargeEvents(own: Company): Promise<string[]> {
  const ids = Array.from({ length: 250 }, () => app.world.newId());
  await app.db.query({
    name: '',
    text: `insert into events (id, account_id, document_id, type, body, created_at)
           select id, $2, null, 'document.sent', json_build_object('pad', repeat('x', 60000))::text, $3
           from unnest($1::uuid[]) as id`,
    values: [ids, own.id, app.clock.now()],
  });
  await app.db.transaction(async (tx) => tx.notify(documentsChannel, own.id));
  return ids;
}

/** Reads a stream. The ids of its events appear in the result as they arrive. */
function idsOf(response: IncomingMessage): string[] {
  const received: string[] = [];
  let text = '';
  let id = '';
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('id: ')) id = line.slice(4);
      if (line.startsWith('event: ')) received.push(id); // the first block has only an id
    }
  });
  response.on('error', () => {}); // cut off
  return received;
}

test('a test event reaches streams and the endpoints that chose it', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const own = await createCompany(app);
  await createEndpoint(app, own.id, receiver.url, ['document.completed']);
  const stream = await open(own.key);
  for (const event of eventTypes) {
    const { status, body } = await trigger(own.testKey, { event });
    expect({ status, body }).toEqual({ status: 201, body: { object: 'event', id: expect.any(String), event } });
  }
  const events = await stream.atLeast(eventTypes.length);
  expect(events.map(({ type }) => type)).toEqual([...eventTypes]);
  await eventually(
    async () => receiver.received,
    (received) => received.length >= 1,
  );
  expect(receiver.received.map(({ event }) => [event.event, event.data.document.title])).toEqual([
    ['document.completed', 'Test event'],
  ]);
});

test('a test event needs a test key that may write, and a known type', async () => {
  expectRefusal(await trigger(company.key, { event: 'document.sent' }), 'test_key_required');
  const { key } = await company.keyWith(['documents:read']);
  expectRefusal(await trigger(key, { event: 'document.sent' }), 'insufficient_scope', 'scopes');
  for (const event of ['document.sealed', '', null, 7, ['document.sent'], '__proto__', '\u0000']) {
    expectRefusal(await trigger(company.testKey, { event }), 'invalid_event', 'event');
  }
  expectRefusal(await trigger(company.testKey, {}), 'invalid_event', 'event');
  expectRefusal(await trigger(company.testKey, []), 'invalid_body');
  const raw = (text: string) => call(atOrigin, 'POST', '/events', { key: company.testKey, raw: text });
  expectRefusal(await raw('{'), 'invalid_json');
  expectRefusal(await raw(''), 'invalid_json');
  expectRefusal(await raw('"document.sent"'), 'invalid_body');
});

test('an address next to it is not found', async () => {
  expect((await call(atOrigin, 'GET', '/events/x', { key: company.key })).status).toBe(404);
});
