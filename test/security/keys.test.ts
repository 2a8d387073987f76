import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { type Scope, scopes } from '../../src/keys/scopes.ts';
import { ask } from '../exposure/ask.ts';
import { noteRoutes, type Route } from '../support/note-routes.ts';
import {
  aDraft,
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { settledSnapshot, snapshotOf } from './snapshot.ts';

/** Every API endpoint, called with every kind of key that must not work. */
let app: TestService;
let routes: Route[];
let company: Company;
let documentId: string;
let before: Record<string, string>;
const keys: Record<string, string> = {};

/** The scope that each endpoint needs, kept apart from the declarations in the code. A new endpoint needs a line. */
const scopeOf: Record<string, Scope | null> = {
  'GET /account': null,
  'GET /documents': 'documents:read',
  'POST /documents': 'documents:write',
  'GET /documents/:id': 'documents:read',
  'POST /documents/:id/send': 'documents:send',
  'GET /documents/:id/recipients': 'recipients:read',
  'GET /documents/:id/download': 'documents:read',
  'GET /imports': 'imports:read',
  'POST /imports': 'imports:write',
  'GET /imports/:id': 'imports:read',
  'GET /imports/:id/items': 'imports:read',
};
const endpoints = Object.keys(scopeOf).map((name) => name.split(' ') as [string, string]);

beforeAll(async () => {
  ({ started: app, routes } = await noteRoutes(() => startTestService({ env: { ROLE: 'web' } })));
  company = await createCompany(app);
  documentId = await createDraft(app, company.key);
  const revoked = await company.keyWith([...scopes]);
  await app.db.transaction((tx) => revokeKey(app.world, tx, revoked.id, null));
  const past = new Date(app.clock.now().getTime() - 1000).toISOString();
  const gone = await createCompany(app);
  await app.db.transaction((tx) => removeAccount(app.world, tx, gone.id));
  Object.assign(keys, {
    revoked: revoked.key,
    expired: (await company.keyWith([...scopes], { expiresAt: past })).key,
    'of the other mode': company.key.replace('_live_', '_test_'),
    'with another character': company.key.slice(0, -1) + (company.key.endsWith('a') ? 'b' : 'a'),
    'of a removed company': gone.key,
    'of a plan without the API': (await createCompany(app, 'free')).key,
  });
  before = await settledSnapshot(app);
});
afterAll(() => app.stop());

const refusals: Record<string, [number, string]> = {
  revoked: [401, 'invalid_api_key'],
  expired: [401, 'invalid_api_key'],
  'of the other mode': [401, 'invalid_api_key'],
  'with another character': [401, 'invalid_api_key'],
  'of a removed company': [403, 'key_company_unavailable'],
  'of a plan without the API': [403, 'api_access_required'],
};

const at = (path: string) => path.replace(':id', documentId);
const headStatus = async (path: string, headers: Record<string, string>) =>
  (await ask(app.baseUrl + at(path), { method: 'HEAD', headers })).status;
const options = (method: string, key: string) => (method === 'POST' ? { key, body: aDraft } : { key });

test('the table has a line for every endpoint of the API', () => {
  const registered = routes
    .filter(({ method, url }) => url.startsWith('/api/v1/') && method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url.slice('/api/v1'.length)}`);
  expect(Object.keys(scopeOf).toSorted()).toEqual([...new Set(registered)].toSorted());
});

describe.each(Object.keys(refusals))('a key %s', (which) => {
  test.each(endpoints)('does not open %s %s', async (method, path) => {
    const key = keys[which] as string;
    const answer = await call(app, method, at(path), options(method, key));
    expect([answer.status, answer.body.error.code]).toEqual(refusals[which]);
    if (method === 'GET') expect(await headStatus(path, { authorization: `Bearer ${key}` })).toBe(answer.status);
  });
});

test.each(endpoints)('no key at all: %s %s', async (method, path) => {
  const answer = await call(app, method, at(path), method === 'POST' ? { body: aDraft } : {});
  expect([answer.status, answer.body.error.code]).toEqual([401, 'missing_authorization']);
  if (method === 'GET') expect(await headStatus(path, {})).toBe(401);
});

test.each(endpoints)('every scope but its own: %s %s', async (method, path) => {
  const needed = scopeOf[`${method} ${path}`] ?? null;
  const { key } = await company.keyWith(scopes.filter((scope) => scope !== needed));
  const answer = await call(app, method, at(path), options(method, key));
  if (needed === null) expect(answer.status).toBe(200);
  else expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope']);
});

test('nothing came of all that', async () => {
  const { api_keys: _made, ...rest } = await snapshotOf(app);
  const { api_keys: _earlier, ...earlier } = before;
  delete rest.account_audit_entries;
  delete earlier.account_audit_entries;
  expect(rest).toEqual(earlier);
});
