import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { firstIdAt } from '../../src/platform/ids.ts';
import { redeliveredMax } from '../../src/webhooks/redelivery-limits.ts';
import { operate } from '../api/operate.ts';
import { insertMany } from '../support/insert-many.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint, deliveriesOf, recordEvents, settledDeliveries } from '../support/webhooks.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

let app: TestService;
let company: Company;
let admin: Visitor;
let stranger: Visitor;
let receiver: Receiver;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app, 'team');
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
});

const invalid = [400, 'invalid_input'];
const redirect: Receiver['answer'] = (response) => response.writeHead(302, { location: '/' }).end();

interface ListedEvent {
  id: string;
  event: string;
  status: string | null;
  document: { id: string; title: string | null; is_restricted: boolean } | null;
}

async function list(query = '', visitor = admin): Promise<ListedEvent[]> {
  return (await visitor.get(`/event-log?limit=100${query}`)).body.data;
}

const titles = async (query: string) => (await list(query)).map(({ document }) => document?.title);
const count = async (query = '') => (await admin.get(`/event-log/redelivery?${query}`)).body;
const voidDocument = (id: string) => admin.post(`/documents/${id}/void`, { reason: 'Wrong' });
const redeliver = async (wanted: object = {}) => (await admin.post('/event-log/redelivery', wanted)).body.redelivered;

/** An endpoint that the workers leave alone, so that deliveries stay as they are. */
async function pausedEndpoint(events?: Parameters<typeof createEndpoint>[3]): Promise<string> {
  const { id } = await createEndpoint(app, company.id, receiver.url, events);
  await app.db.query({
    name: '',
    text: `update webhook_endpoints set paused_at = created_at, paused_by = 'operator' where id = $1`,
    values: [id],
  });
  return id;
}

async function settleAs(status: 'delivered' | 'dead', endpoint: string): Promise<void> {
  await app.db.query({
    name: '',
    text: `update webhook_deliveries set status = $1, next_attempt_at = null, settled_at = created_at
           where endpoint_id = $2 and status = 'pending'`,
    values: [status, endpoint],
  });
}

test('events come newest first with their document and status, and open to their body and deliveries', async () => {
  const { id: endpoint } = await createEndpoint(app, company.id, receiver.url, ['document.sent']);
  const lease = await createSent(app, company.key, { title: 'Lease' });
  await settledDeliveries(app, endpoint);
  receiver.answer = redirect;
  await createSent(app, company.key, { title: 'Roof' });
  await settledDeliveries(app, endpoint, 2);
  await voidDocument(lease);

  const events = await list();
  expect(events).toMatchObject([
    { event: 'document.voided', status: null, document: { id: lease, title: 'Lease', is_restricted: false } },
    { event: 'document.sent', status: 'dead', document: { title: 'Roof' } },
    { event: 'document.sent', status: 'delivered', document: { title: 'Lease' } },
  ]);
  const shown = (await admin.get(`/event-log/${events[2]?.id}`)).body;
  expect(shown).toMatchObject({
    ...events[2],
    deliveries: [{ status: 'delivered', attempts: 1, last_status_code: 200 }],
  });
  expect(shown.deliveries[0].endpoint).toEqual({ id: endpoint, url: receiver.url, is_removed: false });
  expect(shown.request_body).toBe(receiver.received[0]?.raw.toString());
  expect(await list('', stranger)).toEqual([]);
  expect(refusal(await stranger.get(`/event-log/${events[0]?.id}`))).toEqual([404, 'not_found']);
});

test('events are found by type, title, id, document, time and status, and bad filters are refused', async () => {
  const both = await pausedEndpoint();
  const sentOnly = await pausedEndpoint(['document.sent']);
  const lease = await createSent(app, company.key, { title: 'Lease of 12 Harbour Street' });
  await settleAs('delivered', both);
  await settleAs('delivered', sentOnly);
  app.clock.advance({ minutes: 10 });
  const middle = app.clock.now().toISOString();
  await createSent(app, company.key, { title: '100% Roof' });
  await settleAs('dead', sentOnly);
  app.clock.advance({ minutes: 10 });
  await createSent(app, company.key, { title: 'Pool' });
  await settleAs('delivered', sentOnly);
  await voidDocument(lease);
  await settleAs('delivered', both);
  await createSent(app, company.key, { title: 'Shed' });

  expect(await titles('&event=document.voided')).toEqual(['Lease of 12 Harbour Street']);
  expect(await titles('&search=harbour%20LEASE&event=document.sent')).toEqual(['Lease of 12 Harbour Street']);
  expect(await titles('&search=100%25')).toEqual(['100% Roof']);
  expect(await titles(`&search=${lease}`)).toHaveLength(2);
  const [shed] = await list('&search=shed');
  expect(await titles(`&search=%20${shed?.id.toUpperCase()}`)).toEqual(['Shed']);
  expect(await titles(`&search=${app.world.newId()}`)).toEqual([]);
  expect(await titles(`&to=${middle}`)).toEqual(['Lease of 12 Harbour Street']);
  expect(await titles(`&from=${middle}&event=document.sent`)).toEqual(['Shed', 'Pool', '100% Roof']);
  expect(await titles('&status=dead')).toEqual(['100% Roof']);
  expect(await titles('&status=pending')).toEqual(['Shed']);
  expect(await titles('&status=delivered&event=document.sent')).toEqual(['Pool', 'Lease of 12 Harbour Street']);
  // Without its endpoint, nothing is missed any more.
  await admin.call('DELETE', `/webhooks/${sentOnly}`);
  expect(await titles('&status=dead')).toEqual([]);
  for (const bad of [
    'event=document.lost',
    'status=failed',
    'from=yesterday',
    'to=2026-13-01T00:00:00Z',
    'search=%00',
  ]) {
    expect(refusal(await admin.get(`/event-log?${bad}`)), bad).toEqual(invalid);
    expect(refusal(await admin.get(`/event-log/redelivery?${bad}`)), bad).toEqual(invalid);
  }
});

test('pages meet without a gap, and a search ends after a bounded number of events and resumes there', async () => {
  const document = await createDraft(app, company.key, { title: 'Rare' });
  const rare = (await recordEvents(app, company.id, document, 7)).reverse();
  const paged: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&starting_after=${cursor}`;
    const { body } = await admin.get(`/event-log?limit=3&event=document.viewed${query}`);
    paged.push(...body.data.map(({ id }: ListedEvent) => id));
    cursor = body.next_cursor;
  }
  expect(paged).toEqual(rare);

  await insertMany(
    app.db,
    20_000,
    `insert into events (id, account_id, document_id, type, body, created_at)
           select (left($4, 24) || lpad(to_hex(n), 12, '0'))::uuid, $3, null, 'document.sent', '{}', $5
           from generate_series($1::int, $2::int) n`,
    [company.id, firstIdAt(new Date(app.clock.now().getTime() + 60_000)), app.clock.now()],
  );
  const first = (await admin.get('/event-log?search=rare')).body;
  expect([first.data.length, first.has_more]).toEqual([0, true]);
  expect(Date.parse(first.searched_to)).toBe(app.clock.now().getTime() + 60_000);
  const second = (await admin.get(`/event-log?search=rare&starting_after=${first.next_cursor}`)).body;
  expect([second.data.length, second.has_more, second.searched_to]).toEqual([7, false, null]);
  // The count searches on by itself, and leaves out test events.
  await pausedEndpoint();
  expect(await count()).toEqual({ events: 7, deliveries: 7 });
});

test('matching events are redelivered to one endpoint or all that chose them, and not while they are pending', async () => {
  const missed = await pausedEndpoint();
  const other = await pausedEndpoint(['document.sent']);
  const document = await createSent(app, company.key, { title: 'Lease' });
  await voidDocument(document);
  await settleAs('dead', missed);
  await settleAs('delivered', other);
  const late = await pausedEndpoint(['document.voided']);
  const total = async () => {
    const rows = await Promise.all([missed, other, late].map((id) => deliveriesOf(app, id)));
    return rows.map(({ length }) => length);
  };
  expect(await total()).toEqual([2, 1, 0]);

  // Only what an endpoint missed.
  expect(await count('status=dead')).toEqual({ events: 2, deliveries: 2 });
  expect(await count(`status=dead&endpoint_id=${other}`)).toEqual({ events: 0, deliveries: 0 });
  expect(await redeliver({ status: 'dead', event: 'document.sent' })).toBe(1);
  expect(await total()).toEqual([3, 1, 0]);
  // The sent event is pending at the first endpoint. The last one gets the voided event for the first time.
  expect(await count()).toEqual({ events: 2, deliveries: 3 });
  expect(await redeliver({ search: 'nothing' })).toBe(0);
  expect(await redeliver({ endpoint_id: late })).toBe(1);
  expect(await redeliver()).toBe(2);
  expect(await redeliver()).toBe(0);
  expect(await total()).toEqual([4, 2, 1]);
  const again = await app.db.query<{ redelivery_of: string | null }>({
    name: '',
    text: `select redelivery_of from webhook_deliveries where endpoint_id = $1 order by id`,
    values: [other],
  });
  expect(again.map(({ redelivery_of }) => redelivery_of)).toEqual([null, (await deliveriesOf(app, other))[0]?.id]);

  const audited = await app.db.query<{ person_id: string; detail: object }>({
    name: '',
    text: `select person_id, detail from account_audit_entries where account_id = $1 and action = 'webhook_redelivered' order by id`,
    values: [company.id],
  });
  expect(audited.map(({ detail }) => detail)).toMatchObject([
    { endpoint_ids: [missed, other, late], filter: { status: 'dead', type: 'document.sent' }, redelivered: 1 },
    { endpoint_ids: [late], redelivered: 1 },
    { redelivered: 2 },
  ]);
  expect(audited.every(({ person_id }) => person_id !== null)).toBe(true);
  expect(refusal(await stranger.post('/event-log/redelivery', { endpoint_id: late }))).toEqual([404, 'not_found']);
});

test('redelivered events arrive with the same bytes, oldest first', async () => {
  const { id: endpoint } = await createEndpoint(app, company.id, receiver.url, ['document.sent']);
  for (const title of ['one', 'two']) {
    await createSent(app, company.key, { title });
    app.clock.advance({ seconds: 1 });
  }
  await settledDeliveries(app, endpoint, 2);
  const before = receiver.received.map(({ raw }) => raw.toString()).sort();
  expect(await redeliver({ endpoint_id: endpoint })).toBe(2);
  const all = await settledDeliveries(app, endpoint, 4);
  expect(all.map(({ event_id }) => event_id).slice(2)).toEqual(all.map(({ event_id }) => event_id).slice(0, 2));
  expect(
    receiver.received
      .slice(2)
      .map(({ raw }) => raw.toString())
      .sort(),
  ).toEqual(before);
});

test('more events than the maximum are refused before the first is redelivered', async () => {
  const document = await createDraft(app, company.key);
  const endpoint = await pausedEndpoint();
  await app.db.query({
    name: '',
    text: `insert into events (id, account_id, document_id, type, body, created_at)
           select (left($3, 24) || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, 'document.sent', '{}', $4
           from generate_series(1, $5::integer) n`,
    values: [company.id, document, firstIdAt(app.clock.now()), app.clock.now(), redeliveredMax + 1],
  });
  const tooMany = [409, 'too_many_events'];
  expect(refusal(await admin.get('/event-log/redelivery'))).toEqual(tooMany);
  expect(refusal(await admin.post('/event-log/redelivery', {}))).toEqual(tooMany);
  expect(await deliveriesOf(app, endpoint)).toEqual([]);
});

test('a restricted document shows only its id, and is not found by its title', async () => {
  const id = await createSent(app, company.key, { title: 'Payroll zebra' });
  await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
  const answer = await admin.get('/event-log');
  expect(answer.body.data).toMatchObject([{ document: { id, title: null, is_restricted: true } }]);
  expect(await list('&search=zebra')).toEqual([]);
  expect(await list(`&search=${id}`)).toHaveLength(1);
  const shown = await admin.get(`/event-log/${answer.body.data[0].id}`);
  expect(JSON.parse(shown.body.request_body).data).toEqual({ document: { id } });
  expect(answer.text + shown.text).not.toContain('zebra');
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  for (const path of ['/event-log', `/event-log/${answer.body.data[0].id}`, '/event-log/redelivery']) {
    expect(refusal(await member.get(path)), path).toEqual([403, 'forbidden']);
  }
});
