import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeAccount, setPlan } from '../../src/accounts/manage-accounts.ts';
import { generateKey, parseKey } from '../../src/keys/api-key.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { type Scope, scopes } from '../../src/keys/scopes.ts';
import {
  type Answer,
  aDraft,
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const withAuthorization = (authorization: string, path = '/account') =>
  call(app, 'GET', path, { headers: { authorization } });

/** Expects a 401 that does not tell what was wrong with the key. */
async function expectInvalidKey(answer: Answer): Promise<void> {
  expectRefusal(answer, 'invalid_api_key');
  const malformed = await withAuthorization('Bearer x');
  expect(answer.body.error.message).toBe(malformed.body.error.message);
  expect(Object.keys(answer.body.error).sort()).toEqual(Object.keys(malformed.body.error).sort());
  // Without a valid key, nothing about an account is revealed, such as its budget.
  expect([...answer.headers.keys()].sort()).toEqual([...malformed.headers.keys()].sort());
}

/** Changes a character in the middle of the secret part, which the checksum must detect. */
const withTypo = (key: string) => key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);

describe('401', () => {
  test('without an Authorization header it is missing_authorization, on every path', async () => {
    for (const path of [
      '/account',
      '/documents',
      '/documents/x',
      '/documents/x/recipients',
      '/imports',
      '/nothing',
      '/',
      '',
    ]) {
      expectRefusal(await call(app, 'GET', path), 'missing_authorization');
    }
    expectRefusal(await call(app, 'POST', '/documents', { body: aDraft }), 'missing_authorization');
    expectRefusal(await call(app, 'POST', '/documents/x/send'), 'missing_authorization');
    expectRefusal(await call(app, 'POST', '/imports'), 'missing_authorization');
  });

  test('a key in any other place is no key', async () => {
    const { key } = company;
    expectRefusal(await call(app, 'GET', `/account?api_key=${key}&access_token=${key}`), 'missing_authorization');
    expectRefusal(
      await call(app, 'GET', '/account', { headers: { 'x-api-key': key, cookie: `key=${key}` } }),
      'missing_authorization',
    );
  });

  test.for<[string, (key: string) => string]>([
    ['nothing', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the key alone', (key) => key],
    ['another scheme', (key) => `Basic ${key}`],
    ['Basic credentials', (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['a scheme that only begins like it', (key) => `Bearers ${key}`],
    ['two keys', (key) => `Bearer ${key} ${key}`],
    ['a list of keys', (key) => `Bearer ${key},${key}`],
    ['quotes', (key) => `Bearer "${key}"`],
    ['a key cut short', (key) => `Bearer ${key.slice(0, -1)}`],
    ['a key with a character more', (key) => `Bearer ${key}a`],
    ['a key in upper case', (key) => `Bearer ${key.toUpperCase()}`],
    ['a key with a typo', (key) => `Bearer ${withTypo(key)}`],
    ['a key with two characters swapped', (key) => `Bearer ${swapDifferingNeighbours(key)}`],
    ['the other mode in front of the secret', (key) => `Bearer ${key.replace('_live_', '_test_')}`],
    ['an unknown prefix', (key) => `Bearer ${key.replace('svc_live_', 'svc_prod_')}`],
    ['the secret without its prefix', (key) => `Bearer ${key.slice('svc_live_'.length)}`],
    ['a well-formed key that was never issued', () => `Bearer ${generateKey('live', app.world.random)}`],
    ['SQL', () => `Bearer ' or '1'='1`],
    ['a very long word', () => `Bearer ${'x'.repeat(8000)}`],
    ['bytes beyond ASCII', () => 'Bearer \u00e9\u00ff'],
  ])('%s is invalid_api_key', async ([, header]) => {
    await expectInvalidKey(await withAuthorization(header(company.key)));
  });

  test('the scheme is read in any case, and spaces around the key do not matter', async () => {
    for (const header of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ']) {
      expect((await withAuthorization(`${header}${company.key}`)).status).toBe(200);
    }
    expect((await withAuthorization(`Bearer ${company.key}  `)).status).toBe(200);
  });

  test('the checksum alone tells every typo of one character', () => {
    const { key } = company;
    expect(parseKey(key)).toEqual({ mode: 'live' });
    for (let i = 0; i < key.length; i++) {
      const other = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1);
      expect(parseKey(other), `position ${i}`).toBeNull();
    }
  });

  test('a key has the form that scanners look for', () => {
    expect(company.key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    expect(company.testKey).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
  });

  test('only the hash of a key is stored', async () => {
    const rows = await app.db.query<{ row: string }>({
      name: '',
      text: `select api_keys::text || encode(hash, 'escape') as row from api_keys`,
      values: [],
    });
    const secret = company.key.slice('svc_live_'.length);
    for (const { row } of rows) expect(row).not.toContain(secret.slice(0, 8));
  });

  test('a key answers in the mode it was issued in and in no other', async () => {
    // A record whose mode differs from the prefix of the key that hashes to it.
    const { id, key } = await company.keyWith([...scopes]);
    await app.db.query({ name: '', text: `update api_keys set mode = 'test' where id = $1`, values: [id] });
    await expectInvalidKey(await call(app, 'GET', '/account', { key }));
  });

  test('a revoked key is refused from the next request on, for good', async () => {
    const { id, key } = await company.keyWith(['documents:read']);
    expect((await call(app, 'GET', '/documents', { key })).status).toBe(200);
    await app.db.transaction((tx) => revokeKey(app.world, tx, id, null));
    await expectInvalidKey(await call(app, 'GET', '/documents', { key }));
    app.clock.advance({ minutes: 1 });
    await expectInvalidKey(await call(app, 'GET', '/documents', { key }));
    expect((await call(app, 'GET', '/account', { key: company.key })).status).toBe(200);
  });

  test('a revocation holds in another process from the next request on', async () => {
    const other = await startTestService({ databaseUrl: app.databaseUrl, clock: app.clock });
    try {
      const { id, key } = await company.keyWith([]);
      expect((await call(app, 'GET', '/account', { key })).status).toBe(200);
      expect((await call(other, 'GET', '/account', { key })).status).toBe(200);
      await app.db.transaction((tx) => revokeKey(app.world, tx, id, null));
      await expectInvalidKey(await call(other, 'GET', '/account', { key }));
      await expectInvalidKey(await call(app, 'GET', '/account', { key }));
    } finally {
      await other.stop();
    }
  });

  test('a key expires at its very second', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const { key } = await company.keyWith([], { expiresAt });
    app.clock.advance({ seconds: 59 });
    expect((await call(app, 'GET', '/account', { key })).status).toBe(200);
    app.clock.advance({ seconds: 1 });
    await expectInvalidKey(await call(app, 'GET', '/account', { key }));
  });

  test('a key that revoked, expired and lost its company still answers like any other bad key', async () => {
    const gone = await createCompany(app, 'free');
    const { id, key } = await gone.keyWith([], { expiresAt: app.clock.now().toISOString() });
    await app.db.transaction((tx) => revokeKey(app.world, tx, id, null));
    await app.db.transaction((tx) => removeAccount(app.world, tx, gone.id));
    await expectInvalidKey(await call(app, 'GET', '/account', { key }));
  });
});

function swapDifferingNeighbours(key: string): string {
  for (let i = 12; i < key.length - 8; i++) {
    if (key[i] !== key[i + 1]) return key.slice(0, i) + key[i + 1] + key[i] + key.slice(i + 2);
  }
  throw new Error('a key of one repeated character');
}

describe('403', () => {
  test('a plan without API access refuses every endpoint, and lets go with a better plan', async () => {
    const free = await createCompany(app, 'free');
    for (const path of ['/account', '/documents', '/imports', '/nothing']) {
      expectRefusal(await call(app, 'GET', path, { key: free.key }), 'api_access_required');
    }
    expectRefusal(await call(app, 'POST', '/documents', { key: free.key, body: aDraft }), 'api_access_required');
    await setPlan(app.db, free.id, 'starter');
    expect((await call(app, 'GET', '/account', { key: free.key })).status).toBe(200);
    await setPlan(app.db, free.id, 'free');
    expectRefusal(await call(app, 'GET', '/account', { key: free.key }), 'api_access_required');
  });

  test('every paid plan has API access', async () => {
    for (const tier of ['starter', 'pro', 'team', 'enterprise'] as const) {
      const { key } = await createCompany(app, tier);
      const { status, body } = await call(app, 'GET', '/account', { key });
      expect({ status, tier: body.tier }).toEqual({ status: 200, tier });
    }
  });

  test('a key can be revoked after the plan lapsed', async () => {
    const lapsed = await createCompany(app, 'team');
    const { id, key } = await lapsed.keyWith([]);
    await setPlan(app.db, lapsed.id, 'free');
    expectRefusal(await call(app, 'GET', '/account', { key }), 'api_access_required');
    await app.db.transaction((tx) => revokeKey(app.world, tx, id, null));
    await expectInvalidKey(await call(app, 'GET', '/account', { key }));
  });

  test('the keys of a removed company are refused on every endpoint', async () => {
    const gone = await createCompany(app);
    const id = await createDraft(app, gone.key);
    await app.db.transaction((tx) => removeAccount(app.world, tx, gone.id));
    for (const key of [gone.key, gone.testKey]) {
      for (const path of ['/account', '/documents', `/documents/${id}`, '/imports', '/nothing']) {
        expectRefusal(await call(app, 'GET', path, { key }), 'key_company_unavailable');
      }
      expectRefusal(await call(app, 'POST', `/documents/${id}/send`, { key }), 'key_company_unavailable');
    }
  });
});

describe('scopes', () => {
  /** The table of spec.md, Authentication. */
  const table: Array<[method: string, path: string, scope: Scope | null]> = [
    ['GET', '/account', null],
    ['GET', '/documents', 'documents:read'],
    ['POST', '/documents', 'documents:write'],
    ['GET', '/documents/{id}', 'documents:read'],
    ['POST', '/documents/{id}/send', 'documents:send'],
    ['GET', '/documents/{id}/recipients', 'recipients:read'],
    ['GET', '/imports', 'imports:read'],
    ['POST', '/imports', 'imports:write'],
    ['GET', '/imports/{id}', 'imports:read'],
    ['GET', '/imports/{id}/items', 'imports:read'],
  ];

  /** Returns the endpoints that refuse a key because of its scopes. */
  async function refusedTo(key: string): Promise<string[]> {
    const id = await createDraft(app, company.key);
    const refused: string[] = [];
    for (const [method, path] of table) {
      const body = method === 'POST' ? aDraft : undefined;
      const answer = await call(app, method, path.replace('{id}', id), { key, body });
      if (answer.status !== 403) continue;
      expectRefusal(answer, 'insufficient_scope', 'scopes');
      refused.push(`${method} ${path}`);
    }
    return refused;
  }

  const needingOtherThan = (granted: readonly Scope[]) =>
    table
      .filter(([, , scope]) => scope !== null && !granted.includes(scope))
      .map(([method, path]) => `${method} ${path}`);

  test.for(scopes.map((scope) => [scope]))('%s opens its own endpoints and no other', async ([scope]) => {
    const { key } = await company.keyWith([scope as Scope]);
    expect(await refusedTo(key)).toEqual(needingOtherThan([scope as Scope]));
  });

  test('all but one close just the endpoints of that one', async () => {
    for (const missing of scopes) {
      const granted = scopes.filter((scope) => scope !== missing);
      const { key } = await company.keyWith(granted);
      expect(await refusedTo(key)).toEqual(needingOtherThan(granted));
    }
  });

  test('a key without scopes reads the account and nothing else', async () => {
    const { key } = await company.keyWith([]);
    expect(await refusedTo(key)).toEqual(needingOtherThan([]));
  });

  test('a key from before scopes existed reads and never writes', async () => {
    const { key } = await company.keyWith([...scopes], { legacy: true });
    expect(await refusedTo(key)).toEqual(['POST /documents', 'POST /documents/{id}/send', 'POST /imports']);
  });

  test('the rights of the company are no rights of the key: one key lacks what another has', async () => {
    const writer = await company.keyWith(['documents:write']);
    const { status, body } = await call(app, 'POST', '/documents', { key: writer.key, body: aDraft });
    expect(status).toBe(201);
    expectRefusal(await call(app, 'GET', `/documents/${body.id}`, { key: writer.key }), 'insufficient_scope', 'scopes');
    expectRefusal(
      await call(app, 'POST', `/documents/${body.id}/send`, { key: writer.key }),
      'insufficient_scope',
      'scopes',
    );
    expect((await call(app, 'GET', `/documents/${body.id}`, { key: company.key })).body.status).toBe('draft');
  });
});
