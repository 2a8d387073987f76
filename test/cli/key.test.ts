import { expect, test } from 'vitest';
import { hashKey, parseKey } from '../../src/keys/api-key.ts';
import { execute as sql } from '../support/embedded.ts';
import { audited } from './audited.ts';
import { type Place, place } from './countersign.ts';

const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';
const allScopes = [
  'documents:read',
  'recipients:read',
  'documents:write',
  'documents:send',
  'imports:read',
  'imports:write',
];

interface Key {
  id: string;
  scopes: string[];
  expires_at: string | null;
  revoked_at: string | null;
  key?: string;
}

async function company(at: Place): Promise<string> {
  return (await at.json<{ id: string }>('account', 'create', '--name', 'Acme')).id;
}

test('a key is shown once, at creation, with exactly the fields that are promised', async () => {
  const at = await place();
  const account = await company(at);
  const created = await at.json<Key>(
    'key',
    'create',
    '--account',
    account,
    '--mode',
    'live',
    '--scopes',
    'all',
    '--name',
    'CI',
  );
  const { key, ...record } = created;
  expect(record).toEqual({
    id: expect.any(String),
    name: 'CI',
    mode: 'live',
    scopes: allScopes,
    created_at: expect.any(String),
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    hint: expect.stringMatching(/^svc_live_….{4}$/),
  });
  expect(parseKey(key as string)).toEqual({ mode: 'live' });
  expect(await at.json('key', 'list', '--account', account)).toEqual([record]);

  const [stored] = (await sql(at.databaseUrl as string, 'select hash from api_keys')) as [{ hash: Buffer }];
  expect(stored.hash).toEqual(hashKey(key as string));
});

test('scopes are those asked for, in the order of the documentation and each once', async () => {
  const at = await place();
  const account = await company(at);
  const of = async (list: string) =>
    (await at.json<Key>('key', 'create', '--account', account, '--mode', 'test', '--scopes', list)).scopes;
  expect(await of('documents:send, documents:read,documents:send')).toEqual(['documents:read', 'documents:send']);
});

test('a legacy key is read-only, whatever --scopes says', async () => {
  const at = await place();
  const account = await company(at);
  const readOnly = ['documents:read', 'recipients:read', 'imports:read'];
  for (const options of [['--scopes', 'all'], ['--scopes', 'documents:write'], []]) {
    const key = await at.json<Key>('key', 'create', '--account', account, '--mode', 'live', '--legacy', ...options);
    expect(key.scopes).toEqual(readOnly);
  }
  const stored = await sql(at.databaseUrl as string, 'select legacy from api_keys');
  expect(stored).toEqual([{ legacy: true }, { legacy: true }, { legacy: true }]);
});

test('an expiry is a time with its zone, also one that has passed', async () => {
  const at = await place();
  const account = await company(at);
  const create = ['key', 'create', '--account', account, '--mode', 'live', '--scopes', 'all', '--expires-at'];
  expect((await at.json<Key>(...create, '2001-01-31T12:00:00+02:00')).expires_at).toBe('2001-01-31T10:00:00.000Z');
  expect(await at.fails(2, ...create, '2030-01-31T12:00:00')).toMatch(/--expires-at must be an RFC 3339/);
});

test('revoking twice keeps the first time, and the company knows who did it', async () => {
  const at = await place();
  const account = await company(at);
  const { id } = await at.json<Key>('key', 'create', '--account', account, '--mode', 'live', '--scopes', 'all');
  const revoked = await at.json<Key>('key', 'revoke', id);
  expect(revoked.revoked_at).not.toBeNull();
  expect(revoked).not.toHaveProperty('key');
  expect(await at.json('key', 'revoke', id)).toEqual(revoked);
  expect(await audited(at, account)).toEqual(['key_created', 'key_revoked']);
});

test('keys belong to an account that is there', async () => {
  const at = await place();
  const create = (account: string) => ['key', 'create', '--account', account, '--mode', 'live', '--scopes', 'all'];
  expect(await at.fails(1, ...create(unknownId))).toMatch(/no account/);
  expect(await at.fails(1, ...create("'"))).toMatch(/no account/);
  expect(await at.fails(1, 'key', 'list', '--account', unknownId)).toMatch(/no account/);
  expect(await at.fails(1, 'key', 'revoke', unknownId)).toMatch(/no key/);

  const account = await company(at);
  await at.json('account', 'remove', account);
  expect(await at.fails(1, ...create(account))).toMatch(/was removed/);
  expect(await at.json('key', 'list', '--account', account)).toEqual([]);
});

test('what is missing or wrong in a command is wrong usage', async () => {
  const at = await place();
  const create = ['key', 'create', '--account', unknownId];
  expect(await at.fails(2, 'key', 'create', '--mode', 'live', '--scopes', 'all')).toMatch(/--account/);
  expect(await at.fails(2, ...create, '--scopes', 'all')).toMatch(/--mode/);
  expect(await at.fails(2, ...create, '--scopes', 'all', '--mode', 'prod')).toMatch(/live, test/);
  expect(await at.fails(2, ...create, '--scopes', 'everything', '--mode', 'live')).toMatch(/--scopes must be/);
  expect(await at.fails(2, ...create, '--mode', 'live')).toMatch(/--scopes is required/);
  expect(await at.fails(2, ...create, '--mode', 'live', '--scopes', 'all', '--name', '')).toMatch(
    /1 to 100 characters/,
  );
  expect(await at.fails(2, 'key', 'list')).toMatch(/--account/);
});

test('people are told to keep the key, and see which keys are which', async () => {
  const at = await place();
  const account = await company(at);
  const created = await at.run(
    'key',
    'create',
    '--account',
    account,
    '--mode',
    'test',
    '--scopes',
    'all',
    '--name',
    'CI',
  );
  expect(created.stdout.toString()).toMatch(/\nkey +svc_test_\w{38}\n\nKeep the key now: it is not shown again\.\n$/);
  const list = await at.run('key', 'list', '--account', account);
  expect(list.stdout.toString()).toMatch(/^ID .* SCOPES +NAME\n.* svc_test_….{4} +all +CI\n$/s);
});
