import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPlan } from '../../src/accounts/manage-accounts.ts';
import { type Company, call, createCompany, startTestService, type TestService } from '../support/service.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const everyScope = [
  'documents:read',
  'recipients:read',
  'documents:write',
  'documents:send',
  'imports:read',
  'imports:write',
];

test('the account is told in exactly the fields of the specification', async () => {
  const { status, headers, body } = await call(app, 'GET', '/account', { key: company.key });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(body).toStrictEqual({
    object: 'account',
    id: company.id,
    display_name: 'Acme Builders',
    tier: 'enterprise',
    created_at: '2026-03-10T12:00:10.000Z',
    mode: 'live',
    scopes: everyScope,
  });
});

test('the mode is that of the calling key', async () => {
  const { body } = await call(app, 'GET', '/account', { key: company.testKey });
  expect(body).toMatchObject({ id: company.id, mode: 'test', scopes: everyScope });
});

test.for<[string, Parameters<Company['keyWith']>, string[]]>([
  ['a key with two scopes', [['documents:send', 'imports:read']], ['documents:send', 'imports:read']],
  ['a key without any', [[]], []],
  [
    'a key from before scopes existed',
    [['documents:read', 'documents:write'], { legacy: true }],
    ['documents:read', 'recipients:read', 'imports:read'],
  ],
])('%s reads the account, and is told its own scopes', async ([, keyWith, scopes]) => {
  const { key } = await company.keyWith(...keyWith);
  const { status, body } = await call(app, 'GET', '/account', { key });
  expect({ status, scopes: body.scopes }).toEqual({ status: 200, scopes });
});

test('a change of plan shows from the next request on', async () => {
  const other = await createCompany(app, 'starter');
  expect((await call(app, 'GET', '/account', { key: other.key })).body.tier).toBe('starter');
  await setPlan(app.db, other.id, 'team');
  const { body, headers } = await call(app, 'GET', '/account', { key: other.key });
  expect(body.tier).toBe('team');
  expect(headers.get('x-ratelimit-limit-burst')).toBe('300');
});

test('parameters are ignored, known elsewhere or not', async () => {
  const { status, body } = await call(app, 'GET', '/account?limit=0&limit=x&status=unknown&account_id=1', {
    key: company.key,
  });
  expect({ status, id: body.id }).toEqual({ status: 200, id: company.id });
});
