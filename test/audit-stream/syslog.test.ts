import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { auditAccount } from '../../src/accounts/account-audit.ts';
import { batchEntriesMax } from '../../src/audit-stream/read-batch.ts';
import type { HostLookup } from '../../src/public-fetch/resolve-host.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { createAuthority } from '../support/https-authority.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { type SyslogServer, startSyslogServer } from '../support/syslog.ts';
import { drained, failed, failedLate, loggedIds, note, stateOf, streamTo } from './streams.ts';

const authority = createAuthority();
const authorities = getCACertificates('default');
const name = 'logs.example.com';
const loopback: HostLookup = { kind: 'addresses', addresses: ['127.0.0.1'] };
const hostResolver = { resolve: async () => loopback };
let app: TestService;
/** Waits for a short time only. */
let hasty: TestService;
let company: { id: string };
let server: SyslogServer;

beforeAll(async () => {
  setDefaultCACertificates([...authorities, authority.caPem]);
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_URL: 'https://sign.example.com' };
  app = await startTestService({ env: { ...env, WEBHOOK_TIMEOUT_MS: '60000' }, outside: { hostResolver } });
  hasty = await startTestService({ env: { ...env, WEBHOOK_TIMEOUT_MS: '5000' }, outside: { hostResolver } });
});
afterAll(async () => {
  await app.stop();
  await hasty.stop();
  setDefaultCACertificates(authorities);
});
beforeEach(async () => {
  company = await createCompany(app);
  server = await syslogServer(authority.issue([name]));
});

async function syslogServer(tls?: { key: string; cert: string }): Promise<SyslogServer> {
  const started = await startSyslogServer(tls);
  onTestFinished(() => started.stop());
  return started;
}

const urlOf = ({ port }: SyslogServer) => `syslog+tls://${name}:${port}`;

test('a TLS syslog server gets every entry as a message of RFC 5424 in a frame of RFC 5425', async () => {
  await streamTo(app, company.id, urlOf(server), 'syslog');
  const hostile = 'Ñ 👷 \u0000 \n<134>1 - - - - - - forged \u2028 \ud800 "]';
  await auditAccount(app.world, app.db, {
    accountId: company.id,
    personId: null,
    action: 'sign_in_failed',
    detail: { reason: hostile.replace('\u0000', '').replace('\ud800', '') },
  });
  for (let n = 0; n < batchEntriesMax + 20; n++) await note(app, app.db, company.id, n);
  await drained(app, company.id);
  expect(server.faults).toEqual([]);
  expect(server.received.map(({ json }) => json.id)).toEqual(await loggedIds(app, company.id));
  expect(server.received[0]).toMatchObject({
    facility: 13,
    severity: 6,
    host: 'sign.example.com',
    app: 'countersign',
    process: '-',
    id: 'audit_stream_set',
    structured: '-',
    json: { account_id: company.id, action: 'audit_stream_set', by: { kind: 'operator' } },
  });
  expect(server.received[0]?.time).toBe(new Date(server.received[0]?.json.at).toISOString());
  expect(server.received[1]).toMatchObject({
    severity: 4,
    id: 'sign_in_failed',
    json: { detail: { reason: hostile.replace('\u0000', '').replace('\ud800', '') } },
  });
  expect(server.connections()).toBeGreaterThanOrEqual(2);
  expect(new Set(server.protocols)).toEqual(new Set([false]));
});

test('details that are too long for a message are left out, and the rest arrives', async () => {
  await streamTo(app, company.id, urlOf(server), 'syslog');
  const detail = { name: 'ñ'.repeat(5000) };
  await auditAccount(app.world, app.db, { accountId: company.id, personId: null, action: 'brand_changed', detail });
  await drained(app, company.id);
  expect(server.faults).toEqual([]);
  expect(server.received.at(-1)?.json).toMatchObject({ action: 'brand_changed', detail_left_out: true });
  expect(server.received.at(-1)?.json).not.toHaveProperty('detail');
});

test.each([
  ['hangs up at once', 'hang-up', /hung up before|connection broke|ended during/],
  ['breaks the connection', 'reset', /connection broke/],
  ['never closes its side', 'stay', /did not close the connection/],
] as const)('a server that %s has not confirmed: the entries are kept and sent again', async (_, mode, reason) => {
  server.mode = mode;
  const sender = mode === 'stay' ? hasty : app;
  const { id } = await createCompany(sender);
  await streamTo(sender, id, urlOf(server), 'syslog');
  const [state] = mode === 'stay' ? await failedLate(sender, [id]) : [await failed(sender, id, 1)];
  expect(state?.last_error).toMatch(reason);
  expect(state).toMatchObject({ sent_entries: 0, waiting: 1 });
  server.mode = 'read';
  server.received.length = 0;
  sender.clock.advance({ minutes: 20 });
  await drained(sender, id);
  expect(server.received.map(({ json }) => json.id)).toEqual(await loggedIds(sender, id));
});

test.each([
  ['of an unknown authority', () => createAuthority('Another').issue([name])],
  ['for another name', () => authority.issue(['other.example.com'])],
])('a certificate %s is refused, and nothing is sent', async (_, issue) => {
  const wrong = await syslogServer(issue());
  await streamTo(app, company.id, urlOf(wrong), 'syslog');
  expect((await failed(app, company.id, 1)).last_error).toContain('certificate');
  expect(wrong.received).toEqual([]);
});

test('a server without TLS is refused under syslog+tls, and served under syslog+tcp in development', async () => {
  const plain = await syslogServer();
  const { id } = await createCompany(hasty);
  await streamTo(hasty, id, urlOf(plain), 'syslog');
  expect((await failedLate(hasty, [id]))[0]?.last_error).toContain('TLS');
  await streamTo(hasty, id, `syslog+tcp://${name}:${plain.port}`, 'syslog');
  await drained(hasty, id);
  expect(plain.received.map(({ json }) => json.id)).toEqual(await loggedIds(hasty, id));
});

test('without the development setting, private addresses and plain TCP are refused at each connection', async () => {
  const strict = await startTestService({ outside: { hostResolver } });
  onTestFinished(() => strict.stop());
  const own = await createCompany(strict);
  await streamTo(strict, own.id, urlOf(server), 'syslog');
  expect((await failed(strict, own.id, 1)).last_error).toBe(`the name ${name} leads to an address that is not public`);
  await streamTo(strict, own.id, `syslog+tcp://${name}:${server.port}`, 'syslog');
  expect((await failed(strict, own.id, 1)).last_error).toBe('the connection must use TLS');
  expect(server.connections()).toBe(0);
});

test('messages go through the outbound proxy', async () => {
  const proxy = await startConnectProxy();
  onTestFinished(() => proxy.close());
  const behind = await startTestService({
    env: { WEBHOOK_ALLOW_PRIVATE: 'true', OUTBOUND_PROXY_URL: `http://${proxy.host}` },
    outside: { hostResolver },
  });
  onTestFinished(() => behind.stop());
  const own = await createCompany(behind);
  await streamTo(behind, own.id, urlOf(server), 'syslog');
  await drained(behind, own.id);
  expect(server.received).toHaveLength(1);
  expect(proxy.asked.map(({ target }) => target)).toEqual([`127.0.0.1:${server.port}`]);
  expect((await stateOf(behind, own.id)).failures).toBe(0);
});
