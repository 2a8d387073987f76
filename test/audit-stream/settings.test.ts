import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { createMember } from '../../src/accounts/members.ts';
import { eraseAccount, requestErasure } from '../../src/erasure/erase-account.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import type { HostLookup } from '../../src/public-fetch/resolve-host.ts';
import { sealedColumns } from '../../src/secrets/sealed-columns.ts';
import { addMember, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { isSignedWith, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { startSyslogServer } from '../support/syslog.ts';
import { drained, failed, note, stateOf, streamTo } from './streams.ts';

let app: TestService;
let strict: TestService;
let company: { id: string };
let owner: Visitor;
let receiver: Receiver;

const lookups: Record<string, HostLookup> = {
  'public.example.com': { kind: 'addresses', addresses: ['93.184.215.14'] },
  'mixed.example.com': { kind: 'addresses', addresses: ['93.184.215.14', '10.0.0.1'] },
};
const unknown: HostLookup = { kind: 'none', reason: 'does not exist' };

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '60000' } });
  strict = await startTestService({ outside: { hostResolver: { resolve: async (host) => lookups[host] ?? unknown } } });
});
afterAll(async () => {
  await app.stop();
  await strict.stop();
});
beforeEach(async () => {
  company = await createCompany(app);
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const started = await startReceiver();
  receiver = started;
  onTestFinished(() => started.stop());
});

const actionsOf = async (visitor: Visitor) =>
  (await visitor.get('/audit-log?limit=100')).body.data.map(({ action }: { action: string }) => action);

test('an owner sets, tests, rolls, pauses, resumes and removes the stream, and the audit log has each step', async () => {
  expect((await owner.get('/audit-stream')).body).toEqual({ stream: null });
  for (const verb of ['roll', 'pause', 'resume', 'remove', 'test'])
    expect(refusal(await owner.post(`/audit-stream/${verb}`)), verb).toEqual([404, 'not_found']);
  const address = `${receiver.url}?token=receivers-secret`;
  const set = (await owner.post('/audit-stream', { kind: 'webhook', address: ` ${address}\n` })).body;
  expect(set).toMatchObject({ stream: { kind: 'webhook', url: address, paused_at: null, waiting: 1 }, concern: null });
  expect(set.secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
  expect((await owner.post('/audit-stream', { kind: 'webhook', address })).body.secret).toBeNull();

  expect((await owner.post('/audit-stream/test')).body).toEqual({ works: true });
  const [probe] = receiver.received as [Received];
  expect(probe.event).toMatchObject({ type: 'audit_log.test', data: { account_id: company.id, entries: [] } });
  expect(isSignedWith(set.secret, probe, app.clock.now())).toBe(true);
  receiver.answer = (response) => response.writeHead(401).end();
  expect((await owner.post('/audit-stream/test')).body).toEqual({ works: false, reason: 'the receiver answered 401' });
  expect(await stateOf(app, company.id)).toMatchObject({ failures: 0, sent_entries: 0 });
  receiver.answer = (response) => response.end();

  const rolled = (await owner.post('/audit-stream/roll')).body;
  expect(rolled).toMatchObject({ secret: expect.stringMatching(/^whsec_/), old_secret_valid_hours: 24 });
  expect((await owner.post('/audit-stream/pause')).body.stream.paused_at).not.toBeNull();
  expect((await owner.post('/audit-stream/resume')).body.stream.paused_at).toBeNull();
  await drained(app, company.id);
  const shown = (await owner.get('/audit-stream')).body;
  expect(shown.stream).toMatchObject({ waiting: 0, waiting_since: null, has_more_waiting: false, last_error: null });
  expect(JSON.stringify(shown)).not.toContain(set.secret);
  expect((await owner.post('/audit-stream/remove')).body).toEqual({ stream: null });
  expect((await actionsOf(owner)).filter((action: string) => action.startsWith('audit_stream'))).toEqual([
    'audit_stream_removed',
    'audit_stream_resumed',
    'audit_stream_paused',
    'audit_stream_secret_rolled',
    'audit_stream_set',
    'audit_stream_set',
  ]);
  // Neither the log nor what receivers get has the token of the address.
  expect((await owner.get('/audit-log/export?format=json')).text).not.toContain('receivers-secret');
  expect(receiver.received.map(({ raw }) => raw.toString()).join('')).not.toContain('receivers-secret');
  await note(app, app.db, company.id, 'after the end');
  const [left] = await app.db.query<{ n: number }>({
    name: '',
    text: 'select count(*)::int as n from audit_stream_entries where account_id = $1',
    values: [company.id],
  });
  expect(left?.n).toBe(0);
});

test.each([
  [
    'webhook',
    [
      '',
      'http://public.example.com/',
      'https://10.0.0.1/',
      'https://mixed.example.com/',
      'ftp://x.example',
      'https://a:b@public.example.com/',
      'https://localhost/',
      `https://public.example.com/${'a'.repeat(2040)}`,
      'https://public.example.com/\u202e',
    ],
  ],
  [
    'syslog',
    [
      'https://public.example.com',
      '10.0.0.1:6514',
      'mixed.example.com:6514',
      'localhost',
      'syslog+tcp://public.example.com:514',
      'public.example.com:0',
      'public.example.com:99999',
      'a@public.example.com:6514',
      'public.example.com/path',
      'public.example.com:6514\r\n',
      '[::1]:6514',
      'logs .example.com',
    ],
  ],
  ['carrier pigeon', ['https://public.example.com/']],
])('a destination of kind %s that is not public or not valid is refused', async (kind, addresses) => {
  const own = await createCompany(strict);
  const visitor = await signedIn(strict, await addMember(strict, own.id, 'owner'));
  for (const address of addresses) {
    if (address.endsWith('\r\n')) continue; // surrounding white space is removed
    const answer = await visitor.post('/audit-stream', { kind, address });
    expect([answer.status, ['invalid_destination', 'invalid_input'].includes(answer.body.error.code)], address).toEqual(
      [400, true],
    );
  }
  expect((await visitor.get('/audit-stream')).body).toEqual({ stream: null });
});

test.each([
  ['public.example.com', 'syslog+tls://public.example.com:6514', null],
  ['PUBLIC.example.com:443', 'syslog+tls://public.example.com:443', null],
  [
    '[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:10514',
    'syslog+tls://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:10514',
    null,
  ],
  ['later.example.com:6514', 'syslog+tls://later.example.com:6514', { code: 'no_address', host: 'later.example.com' }],
])('the syslog server %s is accepted as %s', async (address, url, concern) => {
  const own = await createCompany(strict);
  const visitor = await signedIn(strict, await addMember(strict, own.id, 'owner'));
  const { body } = await visitor.post('/audit-stream', { kind: 'syslog', address });
  expect(body).toMatchObject({ stream: { kind: 'syslog', url }, secret: null, concern });
  expect(refusal(await visitor.post('/audit-stream/roll'))).toEqual([404, 'not_found']);
});

test('from a webhook to syslog and back: the secret goes, and a new one comes', async () => {
  const server = await startSyslogServer();
  onTestFinished(() => server.stop());
  const first = (await owner.post('/audit-stream', { kind: 'webhook', address: receiver.url })).body.secret;
  await owner.post('/audit-stream/roll');
  const syslog = { kind: 'syslog', address: `syslog+tcp://127.0.0.1:${server.port}` };
  expect((await owner.post('/audit-stream', syslog)).body).toMatchObject({ secret: null, stream: { kind: 'syslog' } });
  expect((await owner.post('/audit-stream/test')).body).toEqual({ works: true });
  expect(server.received).toMatchObject([{ id: 'test', severity: 6, json: { account_id: company.id } }]);
  await drained(app, company.id);
  expect(server.faults).toEqual([]);
  const again = (await owner.post('/audit-stream', { kind: 'webhook', address: receiver.url })).body.secret;
  expect(again).toMatch(/^whsec_/);
  expect(again).not.toBe(first);
});

test('two settings at once: the secret of the one that counts is the one that signs', async () => {
  const second = await startReceiver();
  onTestFinished(() => second.stop());
  const answers = await Promise.all(
    [receiver, second].map(async (to) => ({
      to,
      ...(await owner.post('/audit-stream', { kind: 'webhook', address: to.url })).body,
    })),
  );
  const { stream } = (await owner.get('/audit-stream')).body;
  const counts = answers.find(({ to }) => to.url === stream.url);
  await drained(app, company.id);
  expect(isSignedWith(counts?.secret, counts?.to.received.at(-1) as Received, app.clock.now())).toBe(true);
});

test('tests are limited', async () => {
  await streamTo(app, company.id, receiver.url);
  for (let tries = 0; tries < 30; tries++) expect((await owner.post('/audit-stream/test')).status).toBe(200);
  expect(refusal(await owner.post('/audit-stream/test'))).toEqual([429, 'too_many_tries']);
});

test('owners are e-mailed once when the stream has failed for a day, and again only after it worked', async () => {
  const [first, second] = ['failing-a@example.com', 'failing-b@example.com'];
  for (const [email, role] of [
    [first, 'owner'],
    [second, 'owner'],
    ['failing-c@example.com', 'admin'],
  ] as const)
    await app.db.transaction((tx) => createMember(app.world, tx, { accountId: company.id, email, role }, null));
  const mails = async () => {
    const all = await listMailbox(join(app.dataDir, 'mailbox'), {});
    return all
      .filter(({ to, subject }) => `${to}`.includes('failing-') && subject?.includes('audit log'))
      .map(({ to }) => `${to}`)
      .sort();
  };
  receiver.answer = (response) => response.writeHead(500).end();
  await streamTo(app, company.id, receiver.url);
  const { failures } = await failed(app, company.id, 1);
  app.clock.advance({ hours: 23 });
  await failed(app, company.id, failures + 1);
  expect(await mails()).toEqual([]);
  app.clock.advance({ hours: 2 });
  await failed(app, company.id, failures + 2);
  await eventually(mails, (found) => found.length === 2);
  app.clock.advance({ hours: 30 });
  await failed(app, company.id, failures + 3);
  app.clock.advance({ hours: 30 });
  await failed(app, company.id, failures + 4);
  expect(await mails()).toEqual([first, second].map((address) => expect.stringContaining(address)));
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const { stream } = (await owner.get('/audit-stream')).body;
  expect(stream).toMatchObject({ last_error: 'the receiver answered 500', last_entry_id: null });
  expect(stream.waiting).toBeGreaterThan(0);
  expect(stream.waiting_since).not.toBeNull();

  receiver.answer = (response) => response.end();
  app.clock.advance({ minutes: 20 });
  await drained(app, company.id);
  receiver.answer = (response) => response.writeHead(500).end();
  await note(app, app.db, company.id, 'again');
  await failed(app, company.id, 1);
  app.clock.advance({ hours: 25 });
  await failed(app, company.id, 2);
  await eventually(mails, (found) => found.length === 4);
});

test('metrics tell the lag, the failing streams and batches, and name no company', async () => {
  const other = await createCompany(app);
  receiver.answer = (response) => response.writeHead(500).end();
  await streamTo(app, company.id, receiver.url);
  await failed(app, company.id, 1);
  app.clock.advance({ hours: 1 });
  await failed(app, company.id, 2);
  const text = await (await fetch(new URL('/metrics', app.baseUrl))).text();
  const lines = text.split('\n').filter((line) => line.startsWith('countersign_audit_stream'));
  const measured = (name: string) =>
    Number(
      lines
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  expect(measured('countersign_audit_stream_lag_seconds{state="failing"}')).toBeGreaterThanOrEqual(3600);
  expect(measured('countersign_audit_streams{state="failing"}')).toBeGreaterThanOrEqual(1);
  expect(measured('countersign_audit_stream_batches_total{kind="webhook",outcome="failed"}')).toBeGreaterThanOrEqual(2);
  expect(lines.filter((line) => line.includes(company.id) || line.includes(other.id))).toEqual([]);
});

test('a closed company streams nothing more, and its erasure takes the stream', async () => {
  await streamTo(app, company.id, receiver.url);
  await drained(app, company.id);
  const before = receiver.received.length;
  await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  await note(app, app.db, company.id, 'after closing');
  const other = await createCompany(app);
  await streamTo(app, other.id, `${receiver.url}/other`);
  await drained(app, other.id);
  expect(receiver.received.filter(({ path }) => path === '/hook')).toHaveLength(before);
  await requestErasure(app.world, app.db, company.id);
  await eraseAccount({ world: app.world, db: app.db, accountId: company.id, stopping: new AbortController().signal });
  for (const table of ['audit_streams', 'audit_stream_entries'])
    expect(
      await app.db.query({ name: '', text: `select from ${table} where account_id = $1`, values: [company.id] }),
    ).toEqual([]);
});

test('the secrets are encrypted, and among the columns that a new SECRET_KEY encrypts again', async () => {
  const { secret } = await streamTo(app, company.id, receiver.url);
  const [row] = await app.db.query<{ secret: Buffer }>({
    name: '',
    text: 'select secret from audit_streams where account_id = $1',
    values: [company.id],
  });
  expect(row?.secret.includes(Buffer.from(secret ?? ''))).toBe(false);
  const columns = sealedColumns.filter(({ table }) => table === 'audit_streams').map(({ column }) => column);
  expect(columns).toEqual(['secret', 'previous_secret']);
});
