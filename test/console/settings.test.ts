import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setPlan } from '../../src/accounts/manage-accounts.ts';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

let app: TestService;
let receiver: Receiver;
let company: Company;
let admin: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  receiver = await startReceiver();
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});
beforeEach(async () => {
  company = await createCompany(app, 'team');
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
});

const aKey = { name: 'Billing', mode: 'test', scopes: ['documents:write', 'documents:read'] };
const notFound = [404, 'not_found'];

async function auditedActions(): Promise<string[]> {
  const entries = await app.db.query<{ action: string }>({
    name: '',
    text: 'select action from account_audit_entries where account_id = $1 and person_id is not null order by id',
    values: [company.id],
  });
  return entries.map(({ action }) => action).filter((action) => !action.startsWith('sign'));
}

test('a key made in the console works at once, is shown once, and is refused from the request after its revocation', async () => {
  const made = await admin.post('/keys', aKey);
  expect(made.body).toMatchObject({ name: 'Billing', mode: 'test', scopes: ['documents:read', 'documents:write'] });
  const { id, key } = made.body;
  expect((await call(app, 'GET', '/account', { key })).body.mode).toBe('test');

  const listed = await admin.get('/keys');
  const own = listed.body.data.find((listedKey: { id: string }) => listedKey.id === id);
  expect(own).toMatchObject({ hint: `svc_test_…${key.slice(-4)}`, revoked_at: null });
  expect(listed.text).not.toContain(key);
  expect((await admin.post(`/keys/${id}/revoke`)).body.revoked_at).not.toBeNull();
  expect((await call(app, 'GET', '/account', { key })).status).toBe(401);
  await admin.post(`/keys/${id}/revoke`);
  expect(await auditedActions()).toEqual(['key_created', 'key_revoked']);
});

test('a key may end by itself', async () => {
  const { body } = await admin.post('/keys', { ...aKey, expires_in_days: 30 });
  const days = (Date.parse(body.expires_at) - app.clock.now().getTime()) / 86_400_000;
  expect(days).toBe(30);
  for (const expires_in_days of [0, 3651, 1.5, '30']) {
    expect(refusal(await admin.post('/keys', { ...aKey, expires_in_days }))).toEqual([400, 'invalid_input']);
  }
});

test.each([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['mode', { mode: 'production' }],
  ['scopes', { scopes: [] }],
  ['scopes.0', { scopes: ['documents:delete'] }],
])('a key with a bad %s is refused with that name', async (param, change) => {
  const { status, body } = await admin.post('/keys', { ...aKey, ...change });
  expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_input', param]);
});

test('below the Team plan no key and no endpoint is made, and keys can still be revoked', async () => {
  const { id } = (await admin.post('/keys', aKey)).body;
  await setPlan(app.db, company.id, 'pro');
  expect(refusal(await admin.post('/keys', aKey))).toEqual([403, 'plan_required']);
  const endpoint = { url: receiver.url, events: eventTypes };
  expect(refusal(await admin.post('/webhooks', endpoint))).toEqual([403, 'plan_required']);
  expect((await admin.post(`/keys/${id}/revoke`)).status).toBe(200);
});

test('keys are listed page by page, the newest first, and only those of the own company', async () => {
  await admin.post('/keys', aKey);
  const first = (await admin.get('/keys?limit=2')).body;
  const second = (await admin.get(`/keys?limit=2&starting_after=${first.next_cursor}`)).body;
  expect([first.data.length, first.has_more, second.data.length, second.has_more]).toEqual([2, true, 1, false]);
  const ids = [...first.data, ...second.data].map(({ id }) => id);
  expect(ids).toEqual([...ids].sort().reverse());
  expect(refusal(await stranger.get(`/keys?starting_after=${first.next_cursor}`))).toEqual([400, 'invalid_input']);
  expect(refusal(await stranger.post(`/keys/${ids[0]}/revoke`))).toEqual(notFound);
  expect(refusal(await admin.post('/keys/nonsense/revoke'))).toEqual(notFound);
});

test('an endpoint is added with a secret shown once, tried, paused, resumed, rolled and removed', async () => {
  const added = (await admin.post('/webhooks', { url: receiver.url, events: ['document.sent'] })).body;
  expect(added.secret).toMatch(/^whsec_/);
  const { id } = added;
  const listed = await admin.get('/webhooks');
  expect(listed.body.data).toMatchObject([{ id, events: ['document.sent'], paused_at: null }]);
  expect(listed.text).not.toContain(added.secret);

  const sent = (await admin.post(`/webhooks/${id}/test`, { event: 'document.completed' })).body;
  const delivered = await deliveryOnce(id, sent.id, 'delivered');
  expect(delivered.attempts).toMatchObject([{ status_code: 200 }]);
  const shown = await admin.get(`/deliveries/${sent.id}`);
  expect(JSON.parse(shown.body.request_body)).toMatchObject({ id: sent.event_id, event: 'document.completed' });

  expect((await admin.post(`/webhooks/${id}/pause`)).body.paused_by).toBe('operator');
  expect((await admin.post(`/webhooks/${id}/resume`)).body.paused_at).toBeNull();
  const rolled = (await admin.post(`/webhooks/${id}/roll`)).body;
  expect(rolled).toMatchObject({ id, old_secret_valid_hours: 24 });
  expect(rolled.secret).not.toBe(added.secret);
  expect((await admin.post(`/webhooks/${id}/roll`)).status).toBe(200);
  expect(refusal(await admin.post(`/webhooks/${id}/roll`))).toEqual([409, 'too_many_secrets']);
  expect((await admin.post(`/webhooks/${id}/limit`, { per_second: 5 })).body.rate_limit).toBe(5);
  for (const bad of [{}, { per_second: 0 }, { per_second: 1001 }, { per_second: 1.5 }, { per_second: '5' }]) {
    expect(refusal(await admin.post(`/webhooks/${id}/limit`, bad)), JSON.stringify(bad)).toEqual([
      400,
      'invalid_input',
    ]);
  }
  expect((await admin.post(`/webhooks/${id}/limit`, { per_second: null })).body.rate_limit).toBe(null);
  expect((await admin.post(`/webhooks/${id}/payload`, { version: 2 })).body.payload_version).toBe(2);
  for (const bad of [{}, { version: 0 }, { version: 3 }, { version: '2' }, { version: null }]) {
    expect(refusal(await admin.post(`/webhooks/${id}/payload`, bad)), JSON.stringify(bad)).toEqual([
      400,
      'invalid_input',
    ]);
  }
  const events = ['document.completed', 'document.sent'];
  expect((await admin.post(`/webhooks/${id}/events`, { events })).body.events).toEqual(events.reverse());
  expect((await admin.call('DELETE', `/webhooks/${id}`)).status).toBe(200);
  expect((await admin.get('/webhooks')).body.data).toEqual([]);
  expect(refusal(await admin.post(`/webhooks/${id}/pause`))).toEqual(notFound);
  expect(await auditedActions()).toEqual([
    'webhook_added',
    'webhook_paused',
    'webhook_resumed',
    'webhook_secret_rolled',
    'webhook_secret_rolled',
    'webhook_limited',
    'webhook_limited',
    'webhook_payload_chosen',
    'webhook_events_chosen',
    'webhook_removed',
  ]);
});

/** Waits until a delivery has this status, and returns it as in the list. */
async function deliveryOnce(endpointId: string, id: string, status: string) {
  const list = async () => (await admin.get(`/webhooks/${endpointId}/deliveries?status=${status}`)).body.data;
  const found = (deliveries: { id: string }[]) => deliveries.find((delivery) => delivery.id === id);
  return found(await eventually(list, (deliveries) => found(deliveries) !== undefined)) as never as {
    attempts: object[];
  };
}

test('what an endpoint missed is seen with its answer, and delivered again, one or all', async () => {
  receiver.answer = (response) => response.writeHead(302, { location: '/' }).end('elsewhere');
  const { id } = (await admin.post('/webhooks', { url: receiver.url, events: ['document.sent'] })).body;
  const documentId = await createSent(app, company.key);
  const dead = async () => (await admin.get(`/webhooks/${id}/deliveries?status=dead`)).body.data;
  const [missed] = await eventually(dead, ({ length }) => length === 1);
  expect(missed).toMatchObject({
    event: 'document.sent',
    attempts: [{ status_code: 302, response_body: 'elsewhere' }],
  });
  const { body } = await admin.get(`/deliveries/${missed.id}`);
  expect(JSON.parse(body.request_body).data.document.id).toBe(documentId);

  receiver.answer = (response) => response.end();
  const again = (await admin.post(`/deliveries/${missed.id}/redeliver`)).body;
  expect(again).toMatchObject({ redelivery_of: missed.id, event_id: missed.event_id });
  await deliveryOnce(id, again.id, 'delivered');
  const since = new Date(app.clock.now().getTime() - 60_000).toISOString();
  expect((await admin.post(`/webhooks/${id}/redeliver-failed`, { since })).body).toEqual({ redelivered: 0 });
  for (const wrong of ['monday', '2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z']) {
    expect(refusal(await admin.post(`/webhooks/${id}/redeliver-failed`, { since: wrong })), wrong).toEqual([
      400,
      'invalid_input',
    ]);
  }

  const others = [`/webhooks/${id}/roll`, `/webhooks/${id}/test`, `/deliveries/${missed.id}/redeliver`];
  const bodies = [{}, { event: 'document.sent' }, {}];
  for (const [at, path] of others.entries()) expect(refusal(await stranger.post(path, bodies[at]))).toEqual(notFound);
  expect(refusal(await stranger.get(`/webhooks/${id}/deliveries`))).toEqual(notFound);
  expect(refusal(await stranger.get(`/deliveries/${missed.id}`))).toEqual(notFound);
  expect(refusal(await stranger.call('DELETE', `/webhooks/${id}`))).toEqual(notFound);
});

test('deliveries come page by page, by status, and a cursor is of one list alone', async () => {
  const { id } = (await admin.post('/webhooks', { url: receiver.url, events: ['document.sent'] })).body;
  for (let sent = 0; sent < 3; sent++) await admin.post(`/webhooks/${id}/test`, { event: 'document.sent' });
  const first = (await admin.get(`/webhooks/${id}/deliveries?limit=2`)).body;
  const path = (status: string) => `/webhooks/${id}/deliveries?limit=2${status}&starting_after=${first.next_cursor}`;
  const second = (await admin.get(path(''))).body;
  expect([first.data.length, second.data.length, second.has_more]).toEqual([2, 1, false]);
  expect(refusal(await admin.get(path('&status=dead')))).toEqual([400, 'invalid_input']);
  for (const status of ['lost', 'dead,delivered']) {
    expect(refusal(await admin.get(`/webhooks/${id}/deliveries?status=${status}`))).toEqual([400, 'invalid_input']);
  }
});

test('an account has ten endpoints at most', async () => {
  const add = () => admin.post('/webhooks', { url: receiver.url, events: ['document.sent'] });
  for (let added = 0; added < 10; added++) expect((await add()).status).toBe(200);
  expect(refusal(await add())).toEqual([409, 'too_many_endpoints']);
});

test('an address that is not public is refused, and so is one that is none', async () => {
  const strict = await startTestService({
    databaseUrl: app.databaseUrl,
    env: { ROLE: 'web' },
    outside: { hostResolver: { resolve: async () => ({ kind: 'addresses', addresses: ['10.0.0.8'] }) } },
  });
  try {
    const visitor = await signedIn(strict, await addMember(strict, company.id, 'admin'));
    for (const url of ['http://example.com/', 'https://127.0.0.1/', 'https://inside.example/', 'nonsense']) {
      const { status, body } = await visitor.post('/webhooks', { url, events: ['document.sent'] });
      expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_url', 'url']);
    }
  } finally {
    await strict.stop();
  }
});
