import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTextResolver, type TextResolver } from '../../src/public-fetch/public-fetch.ts';
import { clientSecretContext } from '../../src/sso/connection.ts';
import { readDomain } from '../../src/sso/domains.ts';
import { addMember, refusal, signedIn } from '../console/visitor.ts';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.ts';
import type { TestService } from '../support/service.ts';
import { secretBoxOf } from '../support/webhooks.ts';
import { clientId, clientSecret, startProvider, type TestProvider } from './provider.ts';
import { aSetup, createSsoCompany, startSsoService } from './sso-company.ts';

let provider: TestProvider;
let dns: DnsServer;
let reply: DnsReply = 'NXDOMAIN';
let app: TestService;

beforeAll(async () => {
  [provider, dns] = await Promise.all([startProvider(), startDnsServer(() => reply)]);
  const resolverWithin = (timeoutMs: number) => createTextResolver({ servers: [dns.address], timeoutMs });
  const [patient, hasty] = [resolverWithin(60_000), resolverWithin(1000)];
  const textResolver: TextResolver = { resolve: (name) => (reply === 'silence' ? hasty : patient).resolve(name) };
  app = await startSsoService({ outside: { textResolver } });
});
afterAll(async () => {
  await app.stop();
  await Promise.all([provider.stop(), dns.close()]);
});

const mapping = { role_claim: 'groups', roles: [{ value: 'cn=a,dc=b', role: 'admin' }] };

test('settings are saved without showing the secret, which is stored encrypted', async () => {
  const company = await createSsoCompany(app, provider);
  const { body, text } = await company.owner.get('/sso');
  const origin = new URL(app.baseUrl).origin;
  expect(body).toEqual({
    version: 1,
    issuer: provider.issuer,
    client_id: clientId,
    has_client_secret: true,
    role_claim: '',
    roles: [],
    default_role: '',
    is_required: false,
    redirect_uri: `${origin}/sign-in/sso/callback/${company.id}`,
    sign_in_url: `${origin}/sign-in/sso/${company.ssoId}`,
    changed_at: app.clock.now().toISOString(),
    domains: [],
  });
  expect(text).not.toContain(clientSecret);
  const [row] = await app.db.query<{ client_secret: Buffer }>({
    name: '',
    text: 'select client_secret from sso_connections where account_id = $1',
    values: [company.id],
  });
  const box = await secretBoxOf(app);
  expect(box.decrypt(row?.client_secret as Buffer, clientSecretContext(company.id))).toBe(clientSecret);
  const audit = await app.db.query({
    name: '',
    text: `select person_id, detail from account_audit_entries where account_id = $1 and action = 'sso_set'`,
    values: [company.id],
  });
  expect(audit).toEqual([
    {
      person_id: company.ownerMember.personId,
      detail: expect.objectContaining({ client_id: clientId, is_new_secret: true }),
    },
  ]);
  expect(JSON.stringify(audit)).not.toContain(clientSecret);
});

test('a change names the version it is based on; of two at once one is refused', async () => {
  const company = await createSsoCompany(app, provider);
  const change = { ...aSetup, issuer: provider.issuer, version: 1, ...mapping };
  const answers = await Promise.all([1, 2].map(() => company.owner.post('/sso', change)));
  expect(answers.map(refusal).toSorted()).toEqual([
    [200, undefined],
    [409, 'changed_meanwhile'],
  ]);
  expect((await company.owner.get('/sso')).body).toMatchObject({ version: 2, ...mapping });
  expect(refusal(await company.owner.post('/sso/remove', { version: 1 }))).toEqual([409, 'changed_meanwhile']);
});

test.each<[string, object]>([
  ['issuer', { issuer: 'login.example.com' }],
  ['client_id', { client_id: ' ' }],
  ['client_id', { client_id: 'a\nb' }],
  ['client_secret', { client_secret: 'a\u202eb' }],
  ['roles', { role_claim: 'groups' }],
  ['roles', { roles: mapping.roles }],
  ['roles', { ...mapping, roles: [...mapping.roles, ...mapping.roles] }],
  ['roles', { ...mapping, roles: [{ value: 'a', role: 'owner' }] }],
  ['roles', { ...mapping, roles: [{ value: '', role: 'admin' }] }],
  ['roles', { ...mapping, roles: Array.from({ length: 101 }, (_, index) => ({ value: `v${index}`, role: 'member' })) }],
  ['default_role', { default_role: 'owner' }],
])('a wrong %s is refused: %j', async (param, changes) => {
  const company = await createSsoCompany(app, provider);
  const { status, body } = await company.save(changes);
  expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_input', param]);
});

test('admins and members see and change nothing of it', async () => {
  const company = await createSsoCompany(app, provider);
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  expect(refusal(await admin.get('/sso'))).toEqual([403, 'forbidden']);
  expect(refusal(await admin.post('/sso/test', { issuer: provider.issuer }))).toEqual([403, 'forbidden']);
});

test('the test button reads discovery and keys, and names what is wrong', async () => {
  const { owner } = await createSsoCompany(app, provider);
  const ask = async (issuer: string) => (await owner.post('/sso/test', { issuer })).body;
  expect(await ask(provider.issuer)).toEqual({ works: true });
  expect(await ask(`${provider.issuer}/realms/none`)).toMatchObject({ problem: 'no_discovery' });
  expect(await ask('http://127.0.0.1:1')).toMatchObject({ problem: 'unreachable' });
  expect(await ask('nonsense')).toMatchObject({ problem: 'invalid_issuer' });
});

test('a domain is proven by its TXT record', async () => {
  const { owner } = await createSsoCompany(app, provider);
  const added = await owner.post('/sso/domains', { domain: '@Acme.Example' });
  const [domain] = added.body.domains;
  expect(domain).toEqual({
    domain: 'acme.example',
    record_name: '_countersign.acme.example',
    record_value: expect.stringMatching(/^countersign-domain=[\w-]{43}$/),
    proven_at: null,
    proven_by: null,
  });
  const check = () => owner.post('/sso/domains/check', { domain: 'acme.example' });
  const refused: [DnsReply, string][] = [
    ['NXDOMAIN', 'domain_missing'],
    [{ texts: [] }, 'domain_missing'],
    [{ texts: ['countersign-domain=other', 'v=spf1 -all'] }, 'domain_missing'],
    ['SERVFAIL', 'domain_unavailable'],
    ['silence', 'domain_unavailable'],
  ];
  for (const [given, code] of refused) {
    reply = given;
    expect(refusal(await check()), JSON.stringify(given)).toEqual([409, code]);
  }
  reply = { texts: ['v=spf1 -all', domain.record_value] };
  expect((await check()).body.domains).toEqual([
    { ...domain, proven_at: app.clock.now().toISOString(), proven_by: 'dns' },
  ]);
  expect(dns.questions).toContain('TXT _countersign.acme.example');
  expect((await check()).status).toBe(200);
});

test('any company can claim a domain, but one only can prove it, and each has its own record', async () => {
  const [one, two] = [await createSsoCompany(app, provider), await createSsoCompany(app, provider)];
  const domain = 'shared.example';
  const records = [];
  for (const { owner } of [one, two])
    records.push((await owner.post('/sso/domains', { domain })).body.domains[0].record_value);
  expect(records[0]).not.toBe(records[1]);
  reply = { texts: records };
  const checks = await Promise.all([one, two].map(({ owner }) => owner.post('/sso/domains/check', { domain })));
  expect(checks.map(refusal).toSorted()).toEqual([
    [200, undefined],
    [409, 'domain_taken'],
  ]);
  const winner = checks[0]?.status === 200 ? one : two;
  const loser = winner === one ? two : one;
  await winner.owner.post('/sso/domains/remove', { domain });
  expect((await loser.owner.post('/sso/domains/check', { domain })).status).toBe(200);
});

test('what can’t be the domain of e-mail addresses is refused', async () => {
  const { owner } = await createSsoCompany(app, provider);
  for (const domain of [
    '',
    'localhost',
    '10.0.0.1',
    'a@b.example',
    'a b.example',
    '-a.example',
    'a..example',
    `${'a'.repeat(64)}.example`,
    '*.example',
    'https://a.example',
    'a.example/x',
    '\u0000.example',
  ]) {
    expect(refusal(await owner.post('/sso/domains', { domain })), domain).toEqual([400, 'invalid_input']);
  }
  expect(readDomain('BÜCHER.example')).toBe('xn--bcher-kva.example');
  expect(refusal(await owner.post('/sso/domains/check', { domain: 'unknown.example' }))).toEqual([404, 'not_found']);
  expect(refusal(await owner.post('/sso/domains/remove', { domain: 'unknown.example' }))).toEqual([404, 'not_found']);
  expect(refusal(await owner.post('/sso/unlink', { email: 'nobody@a.example' }))).toEqual([404, 'not_found']);
});

test('a company has at most 50 domains, also of those added at once', async () => {
  const { owner } = await createSsoCompany(app, provider);
  const add = (_: unknown, count: number) => owner.post('/sso/domains', { domain: `d${count}.example` });
  const added = await Promise.all(Array.from({ length: 70 }, add));
  expect(added.filter(({ status }) => status === 200)).toHaveLength(50);
  const { domains } = (await owner.get('/sso')).body;
  expect(domains).toHaveLength(50);
  expect(refusal(await owner.post('/sso/domains', { domain: 'one-more.example' }))).toEqual([409, 'too_many_domains']);
  expect((await owner.post('/sso/domains', { domain: domains[0].domain })).status).toBe(200);
});
