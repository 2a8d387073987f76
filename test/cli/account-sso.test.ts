import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientId, clientSecret, startProvider, type TestProvider } from '../sso/provider.ts';
import { execute as sql } from '../support/embedded.ts';
import { audited } from './audited.ts';
import { place } from './countersign.ts';

let provider: TestProvider;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

async function begin() {
  const at = await place({ SSO_ALLOW_PRIVATE: 'true' });
  const secretFile = join(at.dataDir, 'client-secret');
  writeFileSync(secretFile, `${clientSecret}\n`);
  const { id: account } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme');
  return {
    at,
    secretFile,
    account,
    sso: (verb: string, ...more: string[]) => at.json('account', 'sso', verb, account, ...more),
    fails: (code: 1 | 2, verb: string, ...more: string[]) => at.fails(code, 'account', 'sso', verb, account, ...more),
  };
}

test('single sign-on is set, changed, tested, shown and removed', async () => {
  const { account, secretFile, sso, fails } = await begin();
  expect(await sso('show')).toMatchObject({
    account_id: account,
    version: 0,
    issuer: '',
    domains: [],
    sign_in_url: null,
  });
  expect(await fails(1, 'test')).toContain('the account has no single sign-on');
  expect(await fails(2, 'set', '--required', 'off')).toContain('the account has no single sign-on yet');
  expect(await fails(2, 'set', '--issuer', 'nonsense', '--client-id', 'a')).toContain('--issuer must be');
  const first = ['--issuer', provider.issuer, '--client-id', clientId];
  expect(await fails(1, 'set', ...first)).toContain('needs its client secret');
  const set = await sso('set', ...first, '--client-secret-file', secretFile, '--default-role', 'member');
  expect(set).toMatchObject({
    version: 1,
    issuer: provider.issuer,
    client_id: clientId,
    default_role: 'member',
    redirect_uri: `http://127.0.0.1:3000/sign-in/sso/callback/${account}`,
    sign_in_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/sign-in\/sso\/[0-9a-f-]{36}$/),
  });
  expect(JSON.stringify(set)).not.toContain(clientSecret);
  expect(await sso('test')).toEqual({ works: true });

  const roles = ['--role-claim', 'groups', '--role-value', 'cn=a,dc=b=admin', 'Everyone=member'];
  expect(await sso('set', ...roles, '--default-role', 'none')).toMatchObject({
    version: 2,
    roles: [
      { value: 'Everyone', role: 'member' },
      { value: 'cn=a,dc=b', role: 'admin' },
    ],
    default_role: '',
  });
  expect(await sso('set', '--role-claim', 'none')).toMatchObject({ version: 3, role_claim: '', roles: [] });
  expect(await fails(2, 'set', '--role-claim', 'groups')).toContain('belong together');
  expect(await fails(2, 'set', '--role-claim', 'groups', '--role-value', 'a=owner')).toContain('belong together');
  expect(await fails(2, 'set', '--required', 'perhaps')).toContain('--required');
  expect(await fails(1, 'set', '--required', 'on')).toContain('nobody has signed in');
  expect(await fails(1, 'set', '--client-secret-file', '/nowhere')).toContain('cannot be read');
  expect(await sso('remove')).toMatchObject({ version: 0, issuer: '' });
  expect(await fails(1, 'remove')).toContain('the account has no single sign-on');
});

test('a domain is proven by the operator, and by one company only', async () => {
  const { at, account, sso, fails } = await begin();
  const domain = 'Proven.Example';
  expect(await sso('add-domain', domain)).toMatchObject({ domains: [{ domain: 'proven.example', proven_at: null }] });
  expect(await sso('prove-domain', domain)).toMatchObject({
    domains: [{ domain: 'proven.example', proven_by: 'operator' }],
  });
  expect(await sso('prove-domain', domain)).toMatchObject({ domains: [{ proven_by: 'operator' }] });
  const { id: other } = await at.json<{ id: string }>('account', 'create', '--name', 'Other');
  expect(await at.fails(1, 'account', 'sso', 'prove-domain', other, domain)).toContain('another account has proven');
  expect(await fails(2, 'add-domain', 'not a domain')).toContain('the domain must be');
  expect(await fails(1, 'check-domain', 'unknown.example')).toContain('no such domain');
  expect(await sso('remove-domain', domain)).toMatchObject({ domains: [] });
  expect(await fails(1, 'remove-domain', domain)).toContain('no such domain');
  expect(await at.json('account', 'sso', 'prove-domain', other, domain)).toMatchObject({ account_id: other });
  expect((await audited(at, account)).filter((action) => action.includes('domain'))).toEqual([
    'sso_domain_added',
    'sso_domain_proven',
    'sso_domain_removed',
  ]);
});

test('a member is unlinked', async () => {
  const { at, account } = await begin();
  const member = await at.json<{ id: string }>(
    'user',
    'create',
    '--account',
    account,
    '--email',
    'ada@a.example',
    '--role',
    'member',
  );
  expect(await at.fails(1, 'account', 'sso', 'unlink', member.id)).toContain('not linked');
  await sql(
    at.databaseUrl as string,
    `insert into sso_identities select '${account}', 'https://i.example', 'ada', id, now(), now() from people where email = 'ada@a.example'`,
  );
  expect(await at.json('account', 'sso', 'unlink', member.id)).toMatchObject({ id: member.id, email: 'ada@a.example' });
  expect(await at.fails(1, 'account', 'sso', 'unlink', member.id)).toContain('not linked');
});

test('unknown and removed companies are refused', async () => {
  const { at, sso } = await begin();
  const { id } = await at.json<{ id: string }>('account', 'create', '--name', 'Removed');
  await at.json('account', 'sso', 'prove-domain', id, 'freed.example');
  await at.json('account', 'remove', id);
  expect(await at.fails(1, 'account', 'sso', 'set', id, '--issuer', provider.issuer)).toContain('removed');
  // Its domains are free again.
  expect(await sso('prove-domain', 'freed.example')).toMatchObject({ domains: [{ domain: 'freed.example' }] });
  for (const verb of ['show', 'set', 'remove', 'test']) {
    expect(await at.fails(1, 'account', 'sso', verb, 'nonsense')).toContain('there is no account');
  }
});

test('people read the settings as a list', async () => {
  const { at, account } = await begin();
  const { stdout } = await at.run('account', 'sso', 'show', account);
  expect(stdout.toString()).toContain('redirect_uri');
});
