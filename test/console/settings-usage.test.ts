import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addCredits } from '../../src/accounts/manage-accounts.ts';
import { firstIdAt } from '../../src/platform/ids.ts';
import { chargeStorage, countFiles, lockImportUsage } from '../../src/usage/import-quota.ts';
import { removeRequests } from '../../src/usage/read-request-log.ts';
import { createRequestLog } from '../../src/usage/request-log.ts';
import {
  type Answer,
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

let app: TestService;
let company: Company;
let admin: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  app = await startTestService();
  stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app, 'team');
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
});

const invalid = [400, 'invalid_input'];
const aRequest = {
  accountId: '',
  keyId: '00000000-0000-7000-8000-000000000000',
  requestId: 'req_1',
  method: 'GET',
  url: '/api/v1/documents',
  status: 200,
  code: null,
  durationMs: 1,
  replayOf: null,
};

/** Waits until the log has this many requests, and returns it. */
async function logged(count: number, query = ''): Promise<Answer['body']['data']> {
  const list = async () => (await admin.get(`/requests?limit=100${query}`)).body.data;
  return eventually(list, ({ length }) => length === count);
}

test('every request of the company is in its log, with what came of it and by which key, and in nobody else’s', async () => {
  const id = await createDraft(app, company.key);
  const seen = await call(app, 'GET', `/documents/${id}?expand=svc_live_secret`, { key: company.testKey });
  await call(app, 'GET', '/documents?limit=0', { key: company.key });
  const readOnly = await company.keyWith(['imports:read']);
  await call(app, 'POST', '/documents', { key: readOnly.key, body: {} });
  await call(app, 'GET', `/${company.key}`, { key: company.key });
  const log = await logged(5);
  expect(
    log.map(({ method, path, status, code }: Record<string, string>) => [method, path, status, code]).sort(),
  ).toEqual(
    [
      ['POST', '/documents', 201, null],
      ['GET', `/documents/${id}`, 200, null],
      ['GET', '/documents', 400, 'invalid_limit'],
      ['POST', '/documents', 403, 'insufficient_scope'],
      ['GET', '/…', 404, 'route_not_found'],
    ].sort(),
  );
  const one = log.find(({ path }: { path: string }) => path.includes(id));
  expect(one).toMatchObject({
    request_id: seen.headers.get('x-request-id'),
    at: app.clock.now().toISOString(),
    key: { hint: `svc_test_…${company.testKey.slice(-4)}`, name: null },
  });
  expect(one.duration_ms).toBeGreaterThan(0);
  expect(JSON.stringify(log)).not.toContain('svc_live_secret');
  expect((await stranger.get('/requests')).body.data).toEqual([]);
});

test('what the budget refused is in the log, too', async () => {
  const poor = await createCompany(app, 'free');
  const owner = await signedIn(app, await addMember(app, poor.id, 'owner'));
  await call(app, 'GET', '/account', { key: poor.key });
  const list = async () => (await owner.get('/requests')).body.data;
  expect(await eventually(list, ({ length }) => length === 1)).toMatchObject([
    { status: 403, code: 'api_access_required' },
  ]);
});

test('the log is searched by method, status, key, path, code and request id, and read page by page', async () => {
  const id = await createSent(app, company.key);
  const refused = await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  await logged(3);
  expect(await logged(3, '&method=POST')).toHaveLength(3);
  await logged(0, '&method=GET');
  await logged(1, '&status=4xx');
  await logged(2, '&status=2xx');
  await logged(0, '&status=5xx');
  await logged(2, `&search=${id}`);
  await logged(1, '&search=document_not_sendable');
  await logged(1, `&search=${refused.body.error.request_id}`);
  await logged(0, '&search=_not_sendable');
  const [{ id: keyId }] = (await admin.get('/keys')).body.data.filter(({ hint }: { hint: string }) =>
    hint.endsWith(company.key.slice(-4)),
  );
  await logged(3, `&key_id=${keyId}`);
  await logged(0, `&key_id=${id}`);

  const first = (await admin.get('/requests?limit=2')).body;
  const rest = (await admin.get(`/requests?limit=2&starting_after=${first.next_cursor}`)).body;
  expect([first.data.length, first.has_more, rest.data.length, rest.has_more]).toEqual([2, true, 1, false]);
  for (const bad of [
    'method=PURGE',
    'status=3xx',
    'key_id=x',
    `search=${'x'.repeat(201)}`,
    'search=%00',
    'limit=101',
    'search=a&search=b',
    `status=4xx&starting_after=${first.next_cursor}`,
    `ending_before=${first.next_cursor}`,
  ]) {
    expect(refusal(await admin.get(`/requests?${bad}`)), bad).toEqual(invalid);
  }
});

test('a replayed answer names the request that got it first', async () => {
  const own = await createCompany(app);
  const reader = await signedIn(app, await addMember(app, own.id, 'admin'));
  const body = { title: 'Lease', recipients: [{ name: 'Ada', email: 'ada@example.com' }] };
  const create = () =>
    call(app, 'POST', '/documents', { key: own.key, body, headers: { 'idempotency-key': 'order 1' } });
  const first = (await create()).headers.get('x-request-id');
  const again = await create();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const list = async (query: string) => (await reader.get(`/requests?${query}`)).body.data;
  const both = await eventually(
    () => list(`search=${first}`),
    ({ length }) => length === 2,
  );
  expect(both.map((row: Record<string, string>) => [row.request_id, row.replay_of])).toEqual([
    [again.headers.get('x-request-id'), first],
    [first, null],
  ]);

  // An answer that an older version stored names no request.
  await app.db.query({
    name: '',
    text: 'update idempotency_records set request_id = null where account_id = $1',
    values: [own.id],
  });
  const third = await create();
  expect([third.status, third.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  const [row] = await eventually(
    () => list(`search=${third.headers.get('x-request-id')}`),
    ({ length }) => length === 1,
  );
  expect(row.replay_of).toBeNull();
});

test('pages meet without a gap, wherever what was written together ends', async () => {
  const write = createRequestLog(app.world, app.db, () => {});
  for (const size of [3, 1, 4, 1, 1, 5]) {
    for (let at = 0; at < size; at++)
      write.note({ ...aRequest, accountId: company.id, requestId: `req_${size}_${at}` });
    await write.flush();
  }
  const all = (await admin.get('/requests?limit=100')).body.data;
  expect(all).toHaveLength(15);
  for (const limit of [1, 2, 4, 7]) {
    const paged: object[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await admin.get(`/requests?limit=${limit}${cursor === '' ? '' : `&starting_after=${cursor}`}`);
      if (body.has_more) expect(body.data).toHaveLength(limit);
      paged.push(...body.data);
      cursor = body.next_cursor;
    }
    expect(paged).toEqual(all);
  }
});

test('looking for what is rare ends after a bounded number of requests, says how far it came, and goes on from there', async () => {
  const before = app.clock.now().getTime() - 60_000;
  await app.db.query({
    name: '',
    text: `insert into request_log
           select $1, (lpad(to_hex($2::bigint + n), 12, '0') || '7000' || '8000' || lpad('', 12, '0'))::uuid, 1000,
             $2, array[$3::uuid],
             (select string_agg(concat_ws(E'\\t', n, 1, 'req_' || n, 'GET', 200, '', 1000,
               case when n = 1 and line = 500 then '/rare' else '/usual' end), E'\\n') from generate_series(1, 1000) line)
           from generate_series(1, 30) n`,
    values: [company.id, before, app.world.newId()],
  });
  const first = (await admin.get('/requests?search=rare')).body;
  expect([first.data.length, first.has_more]).toEqual([0, true]);
  expect(Date.parse(first.searched_to)).toBeGreaterThan(before);
  const second = (await admin.get(`/requests?search=rare&starting_after=${first.next_cursor}`)).body;
  expect([second.data.length, second.has_more, second.searched_to]).toEqual([1, false, null]);
});

test('after seven days a request is neither shown nor kept', async () => {
  const insert = (daysAgo: number) =>
    app.db.query({
      name: '',
      text: `insert into request_log
             values ($1::uuid, $2, 1, 0, array[$1::uuid], concat_ws(E'\\t', 0, 1, 'req_old', 'GET', 200, '', 1000, '/documents'))`,
      values: [company.id, firstIdAt(new Date(app.clock.now().getTime() - daysAgo * 86_400_000))],
    });
  await insert(6.9);
  await insert(7.1);
  await logged(1);
  const count = async () =>
    (
      await app.db.query<{ count: number }>({
        name: '',
        text: 'select count(*)::int from request_log where account_id = $1',
        values: [company.id],
      })
    )[0]?.count;
  expect(await count()).toBe(2);
  await removeRequests(app.db, new Date(app.clock.now().getTime() - 7 * 86_400_000), 1000);
  expect(await count()).toBe(1);
});

test('what cannot be written is lost and counted, and what waits is bounded', async () => {
  let lost = 0;
  const broken = { query: () => Promise.reject(new Error('no database')) };
  const log = createRequestLog(app.world, broken, (requests) => {
    lost += requests;
  });
  for (let noted = 0; noted < 20_005; noted++) log.note(aRequest);
  await log.flush();
  expect(lost).toBe(20_005);
  await log.flush();
  expect(lost).toBe(20_005);
});

test('usage shows the plan, what was spent of it, and thirty days with today last', async () => {
  await createDraft(app, company.key);
  await call(app, 'GET', '/documents?limit=0', { key: company.key });
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 25));
  await app.db.transaction(async (tx) => {
    await lockImportUsage(tx, company.id, app.clock.now());
    await countFiles(tx, company.id, 3);
    await chargeStorage(tx, company.id, 4096);
  });
  const show = async () => (await admin.get('/usage')).body;
  const usage = await eventually(show, ({ days }) => days.at(-1).requests === 2);
  expect(usage).toMatchObject({
    tier: 'team',
    plan: { requests_per_day: 100_000, import_files_per_day: 1000, self_serve: true },
    used: { requests_this_minute: 2, requests_today: 2, import_files_today: 3, import_bytes_this_month: 4096 },
    credits: { balance: 25, due: 1000 },
  });
  expect(usage.days).toHaveLength(30);
  expect(usage.days.at(-1)).toEqual({
    date: app.clock.now().toISOString().slice(0, 10),
    requests: 2,
    refused: 1,
    failed: 0,
    import_files: 3,
    import_bytes: 4096,
    credits: 0,
  });
  expect(usage.days[0]).toMatchObject({ date: '2026-02-09', requests: 0 });
  expect((await stranger.get('/usage')).body.used.requests_today).toBe(0);
});

test('credits that are spent in the last half second of a day count on that day', async () => {
  const id = await createDraft(app, company.key);
  const today = app.clock.now().toISOString().slice(0, 10);
  await app.db.query({
    name: '',
    text: `insert into credit_entries (id, account_id, number, amount, balance, reason, document_id, source_sha256, created_at)
           values ($1, $2, 1, -4, 0, 'unlocked a document', $3, $4, $5)`,
    values: [app.world.newId(), company.id, id, Buffer.alloc(32), `${today}T23:59:59.700Z`],
  });
  expect((await admin.get('/usage')).body.days.at(-1)).toMatchObject({ date: today, credits: 4 });
});

test('the ledger of credits comes page by page, the newest first', async () => {
  for (const amount of [1, 2, 3]) await app.db.transaction((tx) => addCredits(app.world, tx, company.id, amount));
  const first = (await admin.get('/credits?limit=2')).body;
  const rest = (await admin.get(`/credits?limit=2&starting_after=${first.next_cursor}`)).body;
  expect([...first.data, ...rest.data].map(({ amount, balance }) => [amount, balance])).toEqual([
    [3, 6],
    [2, 3],
    [1, 1],
  ]);
});

test('a paper that is restricted is gone for API keys, listed for owners and admins, and may change its kind', async () => {
  const id = await createDraft(app, company.key);
  const restrict = (visitor: Visitor, kind: string, document_id = id) =>
    visitor.post('/restricted-papers', { document_id, kind });
  expect((await restrict(admin, 'pay')).body).toMatchObject({ id, restricted_kind: 'pay' });
  expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).status).toBe(404);
  await restrict(admin, 'health');
  expect((await admin.get('/restricted-papers')).body.data).toMatchObject([{ id, restricted_kind: 'health' }]);
  expect(refusal(await restrict(stranger, 'pay'))).toEqual([404, 'not_found']);
  expect(refusal(await restrict(admin, 'pay', 'nonsense'))).toEqual([404, 'not_found']);
  expect(refusal(await restrict(admin, 'secret'))).toEqual(invalid);
  expect((await stranger.get('/restricted-papers')).body.data).toEqual([]);

  const template = (await admin.post('/templates', { title: 'Severance agreement', recipients: [] })).body.id;
  await restrict(admin, 'pay', template);
  expect((await admin.get('/restricted-papers')).body.data).toMatchObject([{ id: template }, { id }]);
  await admin.call('DELETE', `/templates/${template}`);
  expect((await admin.get('/restricted-papers')).body.data).toMatchObject([{ id }]);
  expect(refusal(await restrict(admin, 'other', template))).toEqual([404, 'not_found']);
});

test('a type that is restricted makes sensitive papers of what is made from then on', async () => {
  const earlier = await createDraft(app, company.key, { type: 'w9' });
  expect((await admin.post('/restricted-types', { types: ['w9', 'check'] })).body.types).toEqual(['w9', 'check']);
  expect((await admin.get('/restricted-types')).body.types).toEqual(['w9', 'check']);
  const made = await createDraft(app, company.key, { type: 'w9' });
  const statuses = await Promise.all(
    [earlier, made].map(async (id) => (await call(app, 'GET', `/documents/${id}`, { key: company.key })).status),
  );
  expect(statuses).toEqual([200, 404]);
  expect((await admin.get('/restricted-papers')).body.data).toMatchObject([{ id: made, restricted_kind: 'other' }]);
  // A page that showed less than there is now would undo it.
  const stale = { types: ['form'], shown: ['w9'] };
  expect(refusal(await admin.post('/restricted-types', stale))).toEqual([409, 'changed_meanwhile']);
  expect((await admin.post('/restricted-types', { types: [], shown: ['w9', 'check'] })).body.types).toEqual([]);
  expect(refusal(await admin.post('/restricted-types', { types: ['poem'] }))).toEqual(invalid);
});

test('the notices of a company are switched off one by one, and its audit log says by whom', async () => {
  const kinds = [
    ...['sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated', 'sender_commented'],
    ...['recipient_voided', 'recipient_declined', 'recipient_expired', 'recipient_reassigned'],
  ];
  expect((await admin.get('/notices')).body).toEqual({ kinds });
  expect((await admin.post('/notices', { kinds: [kinds[1]] })).body).toEqual({ kinds: [kinds[1]] });
  expect((await admin.get('/notices')).body).toEqual({ kinds: [kinds[1]] });
  expect((await stranger.get('/notices')).body).toEqual({ kinds });
  const stale = { kinds: [], shown: kinds };
  expect(refusal(await admin.post('/notices', stale))).toEqual([409, 'changed_meanwhile']);
  for (const wrong of [['sender_opened'], [kinds[0], kinds[0]], 'sender_completed', null]) {
    expect(refusal(await admin.post('/notices', { kinds: wrong }))).toEqual(invalid);
  }
  expect((await admin.post('/notices', { kinds: [], shown: [kinds[1]] })).body).toEqual({ kinds: [] });
  const audit = await app.db.query<{ detail: unknown }>({
    name: '',
    text: `select detail from account_audit_entries
           where account_id = $1 and person_id is not null and action = 'notices_chosen' order by id`,
    values: [company.id],
  });
  expect(audit.map(({ detail }) => detail)).toEqual([{ kinds: [kinds[1]] }, { kinds: [] }]);
});

test('the developers’ page finds the newest events of the company, as receivers get them', async () => {
  const id = await createSent(app, company.testKey);
  const { body } = await admin.get('/events');
  expect(body.base_url).toBe(app.baseUrl);
  expect(body.data).toMatchObject([{ event: 'document.sent' }]);
  expect(JSON.parse(body.data[0].body).data.document.id).toBe(id);
  expect((await stranger.get('/events')).body.data).toEqual([]);
});
