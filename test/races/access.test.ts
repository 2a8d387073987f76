import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { replaceRecoveryCodes } from '../../src/identity/recovery-codes.ts';
import { beginTotp } from '../../src/identity/second-factor.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import type { Tx } from '../../src/postgres/database.ts';
import { addMember, type Member, password, signedIn, type Visitor, visit } from '../console/visitor.ts';
import { aSetup } from '../sso/sso-company.ts';
import { addPasskey, createPasskey, type SoftwarePasskey } from '../support/passkey.ts';
import {
  type Answer,
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { secretBoxOf } from '../support/webhooks.ts';
import { holdRow, interleave, type Settled } from './interleave.ts';

/** Two concurrent requests use or revoke the same means of access. */
let app: TestService;
let company: Company;
let owner: Member;
let member: Member;
let origin: string;
let passkey: SoftwarePasskey & { id: string };

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  // Passkeys need a name.
  origin = new URL(app.baseUrl).origin.replace('127.0.0.1', 'localhost');
});
afterAll(() => app.stop());

beforeEach(async () => {
  app.clock.advance({ minutes: 5 });
  company = await createCompany(app);
  owner = await addMember(app, company.id, 'owner');
  member = await addMember(app, company.id, 'member');
  passkey = await addPasskey(app, member.personId, origin);
});

const named = () => visit({ baseUrl: '' }, origin);
const holdPerson = () => holdRow('people', 'id', member.personId);
const statusOf = (settled: Settled<Answer>) => (settled.ok ? settled.value.status : 0);

async function challenged(visitor: Visitor): Promise<() => Promise<Answer>> {
  const { body } = await visitor.post('/sign-in/passkey/options');
  return () => visitor.post('/sign-in/passkey', { response: passkey.answer(body.options.challenge) });
}

test.each(['before', 'after'])('a passkey removed just %s it signs in leaves nobody signed in', async (order) => {
  const remover = await signedIn(app, member);
  const browser = named();
  const signIn = await challenged(browser);
  const remove = () => remover.call('DELETE', `/passkeys/${passkey.id}`);
  const isRemovedFirst = order === 'before';
  const both = await interleave(app, holdPerson(), isRemovedFirst ? remove : signIn, isRemovedFirst ? signIn : remove);
  const [removed, opened] = isRemovedFirst ? both : [both[1], both[0]];
  expect(statusOf(removed as Settled<Answer>)).toBe(200);
  expect(statusOf(opened as Settled<Answer>)).toBe(isRemovedFirst ? 401 : 200);
  expect((await browser.get('/me')).status).toBe(401);
});

test('a passkey answers a challenge once', async () => {
  const [one, two] = [named(), named()];
  const { body } = await one.post('/sign-in/passkey/options');
  const response = passkey.answer(body.options.challenge);
  const use = (visitor: Visitor) => () => visitor.post('/sign-in/passkey', { response });
  const hold = (tx: Tx) => tx.query({ name: '', text: 'select 1 from passkey_challenges for update', values: [] });
  const both = await interleave(app, hold, use(one), use(two));
  expect(both.map(statusOf).sort()).toEqual([200, 401]);
});

test('a recovery code opens one of two half sign-ins', async () => {
  await beginTotp(app.world, app.db, await secretBoxOf(app), member.personId);
  const [code = ''] = await app.db.transaction((tx) => replaceRecoveryCodes(app.world, tx, member.personId));
  await app.db.query({
    name: '',
    text: 'update people set totp_confirmed_at = $2 where id = $1',
    values: [member.personId, app.clock.now()],
  });
  const half = async () => {
    const visitor = visit(app);
    expect((await visitor.post('/sign-in', { email: member.email, password })).body.next).toBe('second_factor');
    return () => visitor.post('/sign-in/second-factor', { code });
  };
  const both = await interleave(app, holdPerson(), await half(), await half());
  expect(both.map(statusOf).sort()).toEqual([200, 401]);
});

test.each(['removed', 'signed out everywhere'])(
  'a member who is %s while a change waits changes nothing',
  async (how) => {
    const boss = await signedIn(app, owner);
    const hers = await signedIn(app, member);
    const id = await createDraft(app, company.key);
    const both = await interleave(
      app,
      holdRow('documents', 'id', id),
      () => hers.post(`/documents/${id}/void`, { reason: 'Out of spite' }),
      async () => {
        if (how === 'removed') return boss.call('DELETE', `/members/${member.id}`);
        const again = await signedIn(app, member);
        return again.post('/sessions/revoke-others');
      },
    );
    expect(both.map(statusOf)).toEqual([403, 200]);
    expect((await boss.get(`/documents/${id}`)).body.status).toBe('draft');
  },
);

test('an admin who became a member while a change waits restricts nothing', async () => {
  const boss = await signedIn(app, owner);
  const admin = await addMember(app, company.id, 'admin');
  const hers = await signedIn(app, admin);
  const id = await createDraft(app, company.key);
  const both = await interleave(
    app,
    holdRow('documents', 'id', id),
    () => hers.post('/restricted-papers', { document_id: id, kind: 'pay' }),
    () => boss.post(`/members/${admin.id}/role`, { role: 'member' }),
  );
  expect(both.map(statusOf)).toEqual([403, 200]);
  expect((await boss.get(`/documents/${id}`)).body.restricted_kind).toBeNull();
});

test.each([
  ['a key', '/keys', { name: 'Mine', mode: 'live', scopes: ['documents:read'] }],
  ['an endpoint', '/webhooks', { url: 'https://1.1.1.1/mine', events: ['document.sent'] }],
  ['an invitation', '/members', { email: 'me-again@example.com', role: 'admin' }],
])('an admin who was removed while the request for %s waits gets none', async (_what, path, body) => {
  const boss = await signedIn(app, owner);
  const admin = await addMember(app, company.id, 'admin');
  const hers = await signedIn(app, admin);
  const both = await interleave(
    app,
    holdRow('accounts', 'id', company.id),
    () => boss.call('DELETE', `/members/${admin.id}`),
    () => hers.post(path, body),
  );
  expect(both.map(statusOf)).toEqual([200, 403]);
});

test.each([
  ['the provider', '/sso', { ...aSetup, issuer: 'https://login.example.com' }],
  ['a domain', '/sso/domains', { domain: 'mine.example' }],
])('an owner who was removed while the request for %s waits sets none', async (_what, path, body) => {
  const boss = await signedIn(app, owner);
  const second = await addMember(app, company.id, 'owner');
  const hers = await signedIn(app, second);
  const both = await interleave(
    app,
    holdRow('accounts', 'id', company.id),
    () => boss.call('DELETE', `/members/${second.id}`),
    () => hers.post(path, body),
  );
  expect(both.map(statusOf)).toEqual([200, 403]);
});

test('a session that ends while it adds a passkey or an authenticator adds none', async () => {
  const [thief, second] = [await signedInAt(origin), await signedInAt(origin)];
  const { body } = await thief.post('/passkeys/options');
  const added = createPasskey(origin, 'added');
  const both = await interleave(
    app,
    holdPerson(),
    () => second.post('/password', { current: password, password: 'another horse battery' }),
    () => thief.post('/passkeys', { name: 'Mine', response: added.registration(body.options.challenge) }),
  );
  expect(both.map(statusOf)).toEqual([200, 401]);
  // The session that changed the password stays.
  expect((await second.get('/passkeys')).body.data).toHaveLength(1);
  const third = await signedInAt(origin);
  const totp = await interleave(
    app,
    holdPerson(),
    () => second.post('/password', { current: 'another horse battery', password }),
    () => third.post('/totp'),
  );
  expect(totp.map(statusOf)).toEqual([200, 401]);
});

async function signedInAt(at: string): Promise<Visitor> {
  const visitor = visit({ baseUrl: '' }, at);
  await visitor.useLink(await mintSignInLink(app.world, app.db, member.personId, 'operator'));
  return visitor;
}

test('a request whose key is revoked while it waits completes, and the key opens nothing after that', async () => {
  const { id: keyId, key } = await company.keyWith(['documents:send']);
  const id = await createDraft(app, company.key);
  const send = () => call(app, 'POST', `/documents/${id}/send`, { key });
  const both = await interleave(app, holdRow('documents', 'id', id), send, () =>
    app.db.transaction((tx) => revokeKey(app.world, tx, keyId, null)),
  );
  expect(both[1].ok).toBe(true);
  expect(statusOf(both[0])).toBe(200);
  expect((await send()).status).toBe(401);
});
