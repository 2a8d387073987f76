import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { isSignedInAs } from '../../src/identity/sessions.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { answerBytesMax } from '../../src/sso/guarded-fetch.ts';
import { addMember, refusal, signedIn, type Visitor, visit } from '../console/visitor.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { clientId, startProvider, type TestProvider } from './provider.ts';
import {
  aSetup,
  comeBack,
  createSsoCompany,
  proveFor,
  reasonOf,
  type SsoCompany,
  signInWith,
  startSsoService,
} from './sso-company.ts';

/** Everyone but the company itself is hostile: another browser, another company, its provider, and someone on the way. */
let provider: TestProvider;
let app: TestService;
let company: SsoCompany;
const email = 'ada@company.example';

beforeAll(async () => {
  provider = await startProvider();
  app = await startSsoService();
  company = await createSsoCompany(app, provider);
  await addMember(app, company.id, 'member', email);
  provider.people.set('ada', { email, email_verified: true });
  provider.subject = 'ada';
});
afterEach(() => {
  app.clock.advance({ minutes: 16 });
  provider.change = null;
  provider.declines = false;
});
afterAll(async () => {
  await app.stop();
  await provider.stop();
});

const complete = (visitor: Visitor, query: string, account = company.id) =>
  visitor.post('/sign-in/sso/complete', { account, query });
const failed = (reason: string) => [403, 'sso_failed', reason];

test('a callback works once', async () => {
  const visitor = visit(app);
  const query = await comeBack(app, visitor, company.ssoId);
  expect((await complete(visitor, query)).status).toBe(200);
  expect(reasonOf(await complete(visitor, query))).toEqual(failed('not_asked_for'));
});

test('of two callbacks at once, one works', async () => {
  const visitor = visit(app);
  const query = await comeBack(app, visitor, company.ssoId);
  const answers = await Promise.all([1, 2, 3].map(() => complete(visitor, query)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403]);
});

test('a callback of another browser is refused, and its own browser can still use it', async () => {
  const [own, other] = [visit(app), visit(app)];
  const query = await comeBack(app, own, company.ssoId);
  await comeBack(app, other, company.ssoId); // the other one has a cookie too
  expect(reasonOf(await complete(other, query))).toEqual(failed('not_asked_for'));
  expect(reasonOf(await complete(visit(app), query))).toEqual(failed('not_asked_for'));
  expect((await complete(own, query)).status).toBe(200);
});

test('a forged, missing, double or foreign state is refused', async () => {
  const visitor = visit(app);
  const query = new URLSearchParams(await comeBack(app, visitor, company.ssoId));
  const state = query.get('state') ?? '';
  for (const wrong of [
    '',
    '?',
    '?state=',
    `?state=${'x'.repeat(43)}&code=a`,
    `?code=a&state=${state}&state=${state}`,
    '\u0000',
  ]) {
    expect(reasonOf(await complete(visitor, wrong)), wrong).toEqual(failed('not_asked_for'));
  }
});

test('a callback is too old after ten minutes', async () => {
  const visitor = visit(app);
  const query = await comeBack(app, visitor, company.ssoId);
  app.clock.advance({ minutes: 10 });
  expect(reasonOf(await complete(visitor, query))).toEqual(failed('not_asked_for'));
});

test('a code of another sign-in is refused, because it has another verifier', async () => {
  const visitor = visit(app);
  const [one, two] = [await comeBack(app, visitor, company.ssoId), await comeBack(app, visitor, company.ssoId)];
  const mixed = new URLSearchParams(one);
  mixed.set('code', new URLSearchParams(two).get('code') ?? '');
  expect(reasonOf(await complete(visitor, `?${mixed}`))).toEqual(failed('code_refused'));
});

test('an answer of another issuer is refused before its code is sent anywhere', async () => {
  const visitor = visit(app);
  const query = new URLSearchParams(await comeBack(app, visitor, company.ssoId));
  expect(query.get('iss')).toBe(provider.issuer);
  const seen = provider.requests.length;
  query.set('iss', 'https://evil.example');
  expect(reasonOf(await complete(visitor, `?${query}`))).toEqual(failed('wrong_issuer'));
  const missing = new URLSearchParams(await comeBack(app, visitor, company.ssoId));
  missing.delete('iss');
  expect(reasonOf(await complete(visitor, `?${missing}`))).toEqual(failed('wrong_issuer'));
  expect(provider.requests.slice(seen)).not.toContain('/token');
});

test('an answer at the address of another company is refused before its code is sent anywhere', async () => {
  // So the provider of one company can't collect codes of another by sending people on to its provider.
  const other = await createSsoCompany(app, provider);
  const visitor = visit(app);
  const query = await comeBack(app, visitor, company.ssoId);
  const seen = provider.requests.length;
  for (const account of [other.id, other.ssoId, company.ssoId, '', '../x', `${company.id}/`]) {
    const answer = await visitor.post('/sign-in/sso/complete', { account, query });
    expect(reasonOf(answer), account).toEqual(failed('not_asked_for'));
  }
  expect(provider.requests.slice(seen)).not.toContain('/token');
  const started = await visit(app).post('/sign-in/sso/start', { id: company.ssoId });
  const redirect = new URL(started.body.redirect_to).searchParams.get('redirect_uri') ?? '';
  expect(new URL(redirect).pathname).toBe(`/sign-in/sso/callback/${company.id}`);
});

test('an address that the provider says is not confirmed is refused, on a proven domain too', async () => {
  const own = await createSsoCompany(app, provider, { domain: 'unconfirmed.example', default_role: 'member' });
  await addMember(app, own.id, 'member', 'boss@unconfirmed.example');
  for (const email_verified of [false, 'false', 0, 'no']) {
    provider.people.set('mallory', { email: 'boss@unconfirmed.example', email_verified });
    provider.subject = 'mallory';
    expect(reasonOf((await signInWith(app, own.ssoId)).answer)).toEqual(failed('email_unverified'));
  }
  provider.people.set('mallory', { email: 'boss@unconfirmed.example' });
  expect((await signInWith(app, own.ssoId)).answer.status).toBe(200);
  provider.subject = 'ada';
});

test('a session of single sign-on leaves no trace in the log of another company of the person', async () => {
  const elsewhere = await createCompany(app);
  const person = await addMember(app, elsewhere.id, 'owner', 'both@elsewhere.example');
  await addMember(app, company.id, 'member', person.email);
  provider.people.set('both', { email: person.email, email_verified: true });
  provider.subject = 'both';
  const first = await signInWith(app, company.ssoId);
  await signInWith(app, company.ssoId);
  const boss = await signedIn(app, person);
  const { data } = (await first.visitor.get('/sessions')).body;
  const another = data.find(({ is_current }: { is_current: boolean }) => !is_current);
  expect((await first.visitor.call('DELETE', `/sessions/${another.id}`)).status).toBe(200);
  expect((await first.visitor.post('/sessions/revoke-others')).body).toEqual({ ended: 0 });
  const endings = ['session_ended', 'sessions_ended'];
  const actionsIn = async (visitor: Visitor) =>
    (await visitor.get('/audit-log?limit=100')).body.data.map(({ action }: { action: string }) => action);
  expect((await actionsIn(boss)).filter((action: string) => endings.includes(action))).toEqual([]);
  expect(await actionsIn(company.owner)).toEqual(expect.arrayContaining(endings));
  provider.subject = 'ada';
});

const now = () => Math.floor(Date.now() / 1000);
type Changed = (claims: Record<string, unknown>) => Record<string, unknown>;

/** Replaces the ID token by another one. */
function tamper(how: Parameters<TestProvider['token']>[1], changed: Changed = (claims) => claims): void {
  provider.change = (path, body) => {
    if (path !== '/token') return null;
    const answer = JSON.parse(body);
    if (answer.id_token === undefined) return null;
    const claims = JSON.parse(Buffer.from(answer.id_token.split('.')[1], 'base64url').toString());
    return JSON.stringify({ ...answer, id_token: provider.token(changed(claims), how) });
  };
}

test.each<[string, Parameters<TestProvider['token']>[1], Changed, string]>([
  ['alg none', 'none', (claims) => claims, 'bad_signature'],
  ['HS256 with the client secret', 'HS256', (claims) => claims, 'bad_signature'],
  ['another key', 'other_key', (claims) => claims, 'bad_signature'],
  ['another audience', 'ES256', (claims) => ({ ...claims, aud: 'another-client' }), 'bad_audience'],
  ['a second audience', 'ES256', (claims) => ({ ...claims, aud: [clientId, 'evil'], azp: 'evil' }), 'bad_audience'],
  ['another issuer', 'ES256', (claims) => ({ ...claims, iss: 'https://evil.example' }), 'wrong_issuer'],
  ['another nonce', 'ES256', (claims) => ({ ...claims, nonce: 'x'.repeat(43) }), 'bad_nonce'],
  ['no nonce', 'ES256', ({ nonce: _nonce, ...claims }) => claims, 'bad_nonce'],
  ['an end in the past', 'ES256', (claims) => ({ ...claims, exp: now() - 120 }), 'clock'],
  ['a start in the future', 'ES256', (claims) => ({ ...claims, nbf: now() + 600 }), 'clock'],
])('a token with %s is refused', async (_what, how, changed, reason) => {
  tamper(how, changed);
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed(reason));
});

test.each<[string, Changed, string]>([
  ['an empty subject', (claims) => ({ ...claims, sub: '' }), 'bad_token'],
  ['a huge subject', (claims) => ({ ...claims, sub: 'x'.repeat(256) }), 'bad_token'],
  ['a subject with an invisible character', (claims) => ({ ...claims, sub: 'a\u0000b' }), 'bad_token'],
  ['a subject that is no text', (claims) => ({ ...claims, sub: 7 }), 'bad_token'],
  [
    'an address with invisible characters',
    (claims) => ({ ...claims, sub: 'x', email: 'a\u0000@b.example' }),
    'no_email',
  ],
  ['a huge address', (claims) => ({ ...claims, sub: 'x', email: `${'a'.repeat(300_000)}@b.example` }), 'no_email'],
  ['two addresses', (claims) => ({ ...claims, sub: 'x', email: ['a@b.example', email] }), 'no_email'],
])('a token with %s is refused', async (_what, changed, reason) => {
  tamper('ES256', changed);
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed(reason));
});

test('what else a provider says is kept only if it can be stored', async () => {
  tamper('ES256', (claims) => ({
    ...claims,
    amr: ['pwd', 'a\u0000', 7, 'x'.repeat(41), '\ud800'],
    auth_time: 1,
    iat: 1e300,
    groups: 7,
  }));
  expect((await signInWith(app, company.ssoId)).answer.status).toBe(200);
});

test('a token that was changed after it was signed is refused', async () => {
  provider.change = (path, body) => {
    if (path !== '/token') return null;
    const answer = JSON.parse(body);
    const [head, payload, signature] = answer.id_token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const other = Buffer.from(JSON.stringify({ ...claims, email: company.ownerMember.email })).toString('base64url');
    return JSON.stringify({ ...answer, id_token: [head, other, signature].join('.') });
  };
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('bad_signature'));
});

test('a clock that differs by less than a minute is tolerated', async () => {
  tamper('ES256', (claims) => ({ ...claims, exp: now() - 30, nbf: now() + 30 }));
  expect((await signInWith(app, company.ssoId)).answer.status).toBe(200);
});

test('a provider that declines, refuses or fails ends on a page that says so', async () => {
  provider.declines = true;
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('declined'));
  provider.declines = false;
  const answers: [string, string, string][] = [
    ['/jwks', '{"keys":[]}', 'bad_signature'],
    ['/jwks', 'not JSON', 'bad_token'],
    ['/token', '[]', 'bad_token'],
    ['/token', '{"access_token":"a","token_type":"bearer"}', 'bad_token'],
    ['/.well-known/openid-configuration', '{}', 'no_discovery'],
    ['/.well-known/openid-configuration', `"${'x'.repeat(answerBytesMax)}"`, 'too_large'],
  ];
  for (const [where, body, reason] of answers) {
    const visitor = visit(app);
    const query = await comeBack(app, visitor, company.ssoId);
    provider.change = (path) => (path === where ? body : null);
    expect(reasonOf(await complete(visitor, query)), `${where} ${body.slice(0, 40)}`).toEqual(failed(reason));
    provider.change = null;
  }
  for (const reason of ['declined', 'bad_signature', 'not_member', 'nonsense', '<script>', '__proto__']) {
    const page = await visit(app).page(`/sign-in/sso/failed?reason=${encodeURIComponent(reason)}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('You are not signed in');
    expect(page.text).not.toContain('nonsense');
  }
});

test('a provider that is away is told apart', async () => {
  const away = await startProvider();
  const own = await createSsoCompany(app, away);
  const visitor = visit(app);
  away.people.set('ada', { email, email_verified: true });
  away.subject = 'ada';
  const query = await comeBack(app, visitor, own.ssoId);
  await away.stop();
  expect(reasonOf(await complete(visitor, query, own.id))).toEqual(failed('unreachable'));
  expect(reasonOf(await visitor.post('/sign-in/sso/start', { id: own.ssoId }))).toEqual(failed('unreachable'));
});

test("the provider of a company can't open another company, whatever addresses it vouches for", async () => {
  const victim = await createSsoCompany(app, provider, { domain: 'victim.example' });
  const owner = await addMember(app, victim.id, 'owner', 'owner@victim.example');
  const hostile = await startProvider();
  const own = await createSsoCompany(app, hostile, { default_role: 'admin' });
  hostile.people.set('x', { email: owner.email, email_verified: true });
  hostile.subject = 'x';
  // Neither as somebody new, nor with a claim to the domain.
  expect(reasonOf((await signInWith(app, own.ssoId)).answer)).toEqual(failed('not_member'));
  expect((await own.owner.post('/sso/domains', { domain: 'victim.example' })).status).toBe(200);
  expect(reasonOf((await signInWith(app, own.ssoId)).answer)).toEqual(failed('not_member'));
  await expect(proveFor(app, own.id, 'victim.example')).rejects.toThrow();
  expect((await visit(app).post('/sign-in/sso/domain', { domain: 'victim.example' })).body.id).toBe(victim.ssoId);

  // Even after inviting the person, it opens only the hostile company.
  await addMember(app, own.id, 'member', owner.email);
  const { visitor, answer } = await signInWith(app, own.ssoId);
  expect(answer.status).toBe(200);
  expect((await visitor.get('/me')).body.accounts.map(({ id }: { id: string }) => id)).toEqual([own.id]);
  expect((await visitor.post('/account', { account_id: victim.id })).status).toBe(404);
  // Removed there, the session opens nothing at all.
  await own.owner.call('DELETE', `/members/${await memberId(own.id, owner.email)}`);
  expect(refusal(await visitor.get('/documents'))).toEqual([401, 'not_signed_in']);
  expect((await visitor.page('/documents')).text).not.toContain(victim.ssoId);
  await hostile.stop();
});

async function memberId(accountId: string, address: string): Promise<string> {
  const [row] = await app.db.query<{ id: string }>({
    name: '',
    text: 'select id from members where account_id = $1 and email = $2',
    values: [accountId, address],
  });
  return row?.id ?? '';
}

test('a session of single sign-on can’t see or change what the person proves who they are with elsewhere', async () => {
  const { visitor } = await signInWith(app, company.ssoId);
  const own = await signedIn(app, { personId: (await visitor.get('/me')).body.person.id });
  const guarded = consoleEndpoints.filter(({ needsOwnSignIn }) => needsOwnSignIn);
  expect(guarded.map(({ route }) => route).toSorted()).toEqual([
    'DELETE /passkeys/:id',
    'DELETE /totp',
    'GET /operator/companies',
    'GET /operator/companies/:id',
    'GET /operator/jobs',
    'GET /operator/log',
    'GET /operator/plans',
    'GET /operator/queues',
    'GET /operator/service',
    'GET /operator/storage',
    'GET /operator/storage/companies',
    'GET /own-signature',
    'GET /own-signature/picture',
    'GET /passkeys',
    'POST /confirm/code',
    'POST /confirm/passkey',
    'POST /confirm/passkey/options',
    'POST /confirm/password',
    'POST /documents/:id/recipients/:recipient/sign',
    'POST /operator/companies/:id/credits',
    'POST /operator/companies/:id/plan',
    'POST /operator/jobs/retry',
    'POST /operator/jobs/retry-all',
    'POST /own-signature',
    'POST /own-signature/remove',
    'POST /passkeys',
    'POST /passkeys/options',
    'POST /password',
    'POST /recovery-codes',
    'POST /totp',
    'POST /totp/confirm',
  ]);
  for (const { method, path } of guarded) {
    const answer = await visitor.call(method, path.replace(':id', app.world.newId()), {});
    expect(refusal(answer), `${method} ${path}`).toEqual([403, 'own_sign_in_needed']);
  }
  const seen = (await visitor.get('/sessions')).body.data as { id: string; method: string }[];
  expect(seen.every(({ method }) => method === 'sso')).toBe(true);
  const all = (await own.get('/sessions')).body.data as { id: string; is_current: boolean }[];
  const foreign = all.find(({ is_current }) => is_current)?.id ?? '';
  expect((await visitor.call('DELETE', `/sessions/${foreign}`)).status).toBe(404);
  await visitor.post('/sessions/revoke-others');
  expect((await own.get('/me')).status).toBe(200);
});

test('“Sign now” is for a session of one’s own, because a provider may name any address', async () => {
  const { visitor } = await signInWith(app, company.ssoId);
  const recipients = [{ name: 'Ada Lovelace', email, role: null }];
  const { body: made } = await visitor.post('/documents', {
    title: 'Lease',
    type: 'contract',
    recipients,
    content: {},
  });
  expect((await visitor.post(`/documents/${made.id}/send`)).status).toBe(200);
  const shown = async (by: Visitor) => (await by.get(`/documents/${made.id}`)).body.recipients[0];
  const { id: recipient, actions } = await shown(visitor);
  expect(actions).not.toContain('sign');
  const path = `/documents/${made.id}/recipients/${recipient}/sign`;
  expect(refusal(await visitor.post(path))).toEqual([403, 'own_sign_in_needed']);
  const own = await signedIn(app, { personId: (await visitor.get('/me')).body.person.id });
  expect((await shown(own)).actions).toContain('sign');
  expect((await own.post(path)).body.path).toMatch(/^\/sign\//);
});

test('a session of single sign-on does not sign documents that ask for the recipient’s own session', async () => {
  const { visitor } = await signInWith(app, company.ssoId);
  const token = [...visitor.cookies].find(([name]) => name.endsWith('countersign_session'))?.[1] ?? '';
  expect(await isSignedInAs(app.world, app.db, token, email)).toBe(false);
  const personId = (await visitor.get('/me')).body.person.id;
  const own = await signedIn(app, { personId });
  const ownToken = [...own.cookies].find(([name]) => name.endsWith('countersign_session'))?.[1] ?? '';
  expect(await isSignedInAs(app.world, app.db, ownToken, email)).toBe(true);
});

test('nobody is led to another site after the sign-in', async () => {
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/sign-in/x',
    'javascript:alert(1)',
    '/documents/../../x',
    `/documents?x=${'y'.repeat(1990)}`,
  ]) {
    const visitor = visit(app);
    const query = await comeBack(app, visitor, company.ssoId, { next });
    expect((await complete(visitor, query)).body.to, next).toBe('/');
  }
});

test('settings that change during a sign-in end it', async () => {
  const own = await createSsoCompany(app, provider);
  const visitor = visit(app);
  const query = await comeBack(app, visitor, own.ssoId);
  expect((await own.save({ default_role: 'member' })).status).toBe(200);
  expect(reasonOf(await complete(visitor, query, own.id))).toEqual(failed('changed'));
});

test('the client secret goes to no other issuer or client', async () => {
  const own = await createSsoCompany(app, provider);
  expect(refusal(await own.save({ issuer: 'http://127.0.0.1:1' }))).toEqual([409, 'secret_needed']);
  expect(refusal(await own.save({ client_id: 'another' }))).toEqual([409, 'secret_needed']);
  expect((await own.save({ role_claim: 'groups', roles: [{ value: 'a', role: 'admin' }] })).status).toBe(200);
});

test('another issuer unlinks everyone and ends their sessions', async () => {
  const own = await createSsoCompany(app, provider);
  await addMember(app, own.id, 'member', email);
  const { visitor } = await signInWith(app, own.ssoId);
  const other = await startProvider();
  expect((await own.save({ issuer: other.issuer, client_secret: 'new' })).status).toBe(200);
  expect((await visitor.get('/me')).status).toBe(401);
  await other.stop();
});

test('a discovery document that names another issuer or private addresses is refused', async () => {
  const server = createServer((request, response) => {
    const document = documents[Number(request.url?.split('/')[1])];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const whole = {
    authorization_endpoint: `${origin}/auth`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
  };
  const cases: [object | string, string, string | null][] = [
    [
      { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0', ...whole },
      'other_issuer',
      'https://login.microsoftonline.com/{tenantid}/v2.0',
    ],
    [
      { issuer: `${origin}/1`, ...whole, authorization_endpoint: 'javascript:alert(1)' },
      'incomplete',
      'authorization_endpoint',
    ],
    [{ issuer: `${origin}/2`, ...whole, jwks_uri: undefined }, 'incomplete', 'jwks_uri'],
    [
      { issuer: `${origin}/3`, ...whole, id_token_signing_alg_values_supported: ['none', 'HS256'] },
      'no_algorithm',
      null,
    ],
    [{ issuer: `${origin}/4`, ...whole, jwks_uri: 'file:///etc/passwd' }, 'incomplete', 'jwks_uri'],
    ['x'.repeat(answerBytesMax + 1), 'too_large', null],
    ['{', 'no_discovery', null],
    [{ issuer: `${origin}/7`, ...whole }, 'keys_unreachable', null],
    ['[[[['.repeat(20_000), 'no_discovery', null],
  ];
  const documents = cases.map(([document]) => document);
  for (const [index, [, problem, value]] of cases.entries()) {
    const answer = await company.owner.post('/sso/test', { issuer: `${origin}/${index}` });
    expect(answer.body, String(index)).toEqual({ works: false, problem, value });
  }
  server.closeAllConnections();
  server.close();
});

test('an issuer on a private address is refused, unless the operator allows it', async () => {
  const hostResolver = { resolve: async () => ({ kind: 'addresses' as const, addresses: ['8.8.8.8', '10.0.0.1'] }) };
  const strict = await startTestService({ outside: { hostResolver } });
  const { id } = await createCompany(strict);
  const owner = await signedIn(strict, await addMember(strict, id, 'owner'));
  const refused = [
    'http://login.example.com',
    'https://127.0.0.1',
    'https://10.0.0.1/realms/x',
    'https://localhost',
    'https://[::1]',
    'https://169.254.169.254',
    'https://idp.internal',
    'https://a@login.example.com',
    'https://login.example.com/?x',
    'https://login.example.com/#x',
    'https://login.example.com/.well-known/openid-configuration',
    'javascript:alert(1)',
    '',
  ];
  for (const issuer of refused) {
    expect(refusal(await owner.post('/sso', { ...aSetup, issuer })), issuer).toEqual([400, 'invalid_input']);
    expect((await owner.post('/sso/test', { issuer })).body, issuer).toMatchObject({ problem: 'invalid_issuer' });
  }
  // A name that leads to a private address.
  const named = { issuer: 'https://login.example.com' };
  expect((await owner.post('/sso/test', named)).body).toEqual({ works: false, problem: 'not_public', value: null });
  const { body } = await owner.post('/sso', { ...aSetup, ...named });
  const started = await visit(strict).post('/sign-in/sso/start', { id: body.sign_in_url.split('/').at(-1) });
  expect(reasonOf(started)).toEqual(failed('not_public'));
  await strict.stop();
});

test('sign-ins and questions about domains are limited for each address', async () => {
  const limited = await startSsoService();
  const visitor = visit(limited);
  const statuses = [];
  for (let tries = 0; tries < 121; tries++)
    statuses.push((await visitor.post('/sign-in/sso/domain', { domain: 'a.example' })).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(120);
  expect(statuses.at(-1)).toBe(429);
  for (let tries = 0; tries < 100; tries++) await visitor.post('/sign-in/sso/start', { id: 'x' });
  expect((await visitor.post('/sign-in/sso/start', { id: 'x' })).status).toBe(429);
  expect((await complete(visitor, '?state=x')).status).toBe(429);
  await limited.stop();
});

test('other sites can’t start or complete a sign-in', async () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const visitor = visit(app);
  const started = await visitor.post('/sign-in/sso/start', { id: company.ssoId }, foreign);
  expect(refusal(started)).toEqual([403, 'foreign_origin']);
  const query = await comeBack(app, visitor, company.ssoId);
  expect(refusal(await visitor.post('/sign-in/sso/complete', { account: company.id, query }, foreign))).toEqual([
    403,
    'foreign_origin',
  ]);
  // Opening the callback alone signs nobody in.
  const page = await visitor.page(`/sign-in/sso/callback/${company.id}${query}`);
  expect(page.status).toBe(200);
  expect(page.headers.getSetCookie()).toEqual([]);
  expect((await visitor.get('/me')).status).toBe(401);
});

test('a sign-in ends the session that the browser had', async () => {
  const visitor = await signedIn(app, company.ownerMember);
  const before = [...visitor.cookies].find(([name]) => name.endsWith('countersign_session'))?.[1] ?? '';
  expect((await signInWith(app, company.ssoId, visitor)).answer.status).toBe(200);
  const old = visit(app);
  old.cookies.set('countersign_session', before);
  expect((await old.get('/me')).status).toBe(401);
  await mintSignInLink(app.world, app.db, company.ownerMember.personId, 'operator');
});
