import { expect, test } from 'vitest';
import { execute as sql } from '../support/embedded.ts';
import { audited } from './audited.ts';
import { type Place, place } from './countersign.ts';

const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface User {
  id: string;
  email: string;
  role: string;
  created_at: string;
  sign_in_url: string;
}

async function company(at: Place): Promise<string> {
  return (await at.json<{ id: string }>('account', 'create', '--name', 'Acme')).id;
}

const create = (account: string, email: string, role = 'member') => [
  ...['user', 'create', '--account', account],
  ...['--email', email, '--role', role],
];

const link = /^http:\/\/127\.0\.0\.1:\d+\/sign-in\/[\w-]{43}$/;

test('a member has exactly the fields that are promised, and a link to sign in with', async () => {
  const at = await place();
  const account = await company(at);
  const { sign_in_url, ...ada } = await at.json<User>(...create(account, 'ada@example.com', 'owner'));
  expect(sign_in_url).toMatch(link);
  expect(ada).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: 'ada@example.com',
    role: 'owner',
    created_at: expect.stringMatching(timestamp),
  });
  const { sign_in_url: _, ...bob } = await at.json<User>(...create(account, 'Bob@Example.com', 'admin'));
  expect(await at.json('user', 'list', '--account', account)).toEqual([ada, bob]);
  expect(await at.json('user', 'remove', bob.id as string)).toEqual(bob);
  expect(await at.json('user', 'list', '--account', account)).toEqual([ada]);
});

test('a new link is another one, and nothing that is kept can be opened with what the database holds of it', async () => {
  const at = await place();
  const account = await company(at);
  const { id, sign_in_url } = await at.json<User>(...create(account, 'ada@example.com', 'owner'));
  const again = await at.json<User>('user', 'sign-in-link', id);
  expect(again).toEqual({
    id,
    email: 'ada@example.com',
    role: 'owner',
    created_at: again.created_at,
    sign_in_url: again.sign_in_url,
  });
  expect(again.sign_in_url).toMatch(link);
  expect(again.sign_in_url).not.toBe(sign_in_url);
  expect(await audited(at, account)).toEqual(['member_invited', 'sign_in_link_created']);
  expect(await at.fails(1, 'user', 'sign-in-link', unknownId)).toMatch(/no member/);
});

test('a password follows the rule, and a second factor that was lost is taken away', async () => {
  const at = await place();
  const account = await company(at);
  for (const password of ['short', '        ', 'x'.repeat(201)]) {
    const refused = await at.fails(2, ...create(account, 'ada@example.com'), '--password', password);
    expect(refused).toBe('--password must be 8 to 200 characters');
  }
  const refusals = { 'ADA@example.com': /made of/, acme2026: /made of/, Qwertyuiop: /easy to guess/ };
  for (const [password, words] of Object.entries(refusals)) {
    expect(await at.fails(2, ...create(account, 'ada@example.com'), '--password', password)).toMatch(words);
  }
  expect(await at.json('user', 'list', '--account', account)).toEqual([]);
  const { id } = await at.json<User>(...create(account, 'ada@example.com'), '--password', 'correct horse');
  // The link was made while signing in took a code.
  const links = () => sql(at.databaseUrl as string, 'select 1 from sign_in_links where used_at is null');
  expect(await links()).toHaveLength(1);
  expect(await at.json('user', 'remove-second-factor', id)).toMatchObject({ id });
  expect(await links()).toEqual([]);
  expect(await at.fails(1, 'user', 'remove-second-factor', unknownId)).toMatch(/no member/);
  expect(await at.json('user', 'remove-password', id)).toMatchObject({ id });
  const people = 'select password_hash from people';
  expect(await sql(at.databaseUrl as string, people)).toEqual([{ password_hash: null }]);
  expect(await at.fails(1, 'user', 'remove-password', unknownId)).toMatch(/no member/);
  await sql(
    at.databaseUrl as string,
    `insert into saved_signatures (id, person_id, mark, kind, content, saved_at)
     select gen_random_uuid(), id, 'initials', 'typed', '\\x00', now() from people`,
  );
  expect(await at.json('user', 'remove-signature', id)).toMatchObject({ id, removed: ['initials'] });
  expect(await at.json('user', 'remove-signature', id)).toMatchObject({ removed: [] });
  expect(await at.fails(1, 'user', 'remove-signature', unknownId)).toMatch(/no member/);
});

test('an address is a member of a company once, however it is spelt, and may be one of another', async () => {
  const at = await place();
  const account = await company(at);
  const first = await at.json<User>(...create(account, 'ada@example.com'));
  expect(await at.fails(1, ...create(account, 'ADA@example.com', 'owner'))).toMatch(/has a member with this/);
  await at.json(...create(await company(at), 'ada@example.com'));
  await at.json('user', 'remove', first.id);
  await at.json(...create(account, 'ada@example.com'));
});

test('an e-mail address follows the rule for recipients, and a role is one of three', async () => {
  const at = await place();
  const refused = ['', 'ada', 'ada@', '@example.com', 'ada@example', 'a da@example.com', 'ada@example.com\nBcc: x@y.z'];
  for (const email of [...refused, `${'a'.repeat(250)}@example.com`, '"a"@example.com']) {
    expect(await at.fails(2, ...create(unknownId, email))).toMatch(/^--email must be an e-mail address/);
  }
  expect(await at.fails(2, ...create(unknownId, 'ada@example.com', 'root'))).toMatch(/owner, admin, member/);
  expect(await at.fails(2, 'user', 'create', '--account', unknownId, '--role', 'owner')).toMatch(/--email/);
});

test('members belong to an account that is there', async () => {
  const at = await place();
  expect(await at.fails(1, ...create(unknownId, 'ada@example.com'))).toMatch(/no account/);
  expect(await at.fails(1, 'user', 'list', '--account', unknownId)).toMatch(/no account/);
  expect(await at.fails(1, 'user', 'remove', unknownId)).toMatch(/no member/);
  expect(await at.fails(1, 'user', 'remove', "'")).toMatch(/no member/);
  const account = await company(at);
  await at.json('account', 'remove', account);
  expect(await at.fails(1, ...create(account, 'ada@example.com'))).toMatch(/was removed/);
  expect((await at.run('user', 'list', '--account', account)).stdout.toString()).toBe('no members\n');

  const left = await company(at);
  const { id } = await at.json<User>(...create(left, 'ada@example.com', 'owner'));
  await at.json('account', 'remove', left);
  expect(await at.json('user', 'remove', id)).toMatchObject({ id });
});

test('a member gets another role, but a company keeps an owner, and knows who changed whom', async () => {
  const at = await place();
  const account = await company(at);
  const { sign_in_url: _, ...ada } = await at.json<User>(...create(account, 'ada@example.com', 'owner'));
  const { id: bob } = await at.json<User>(...create(account, 'bob@example.com'), '--password', 'correct horse');
  expect(await at.fails(1, 'user', 'set-role', ada.id, '--role', 'admin')).toContain('needs an owner');
  expect(await at.fails(1, 'user', 'remove', ada.id)).toContain('needs an owner');
  expect(await at.json('user', 'set-role', ada.id, '--role', 'owner')).toEqual(ada);
  expect(await at.json('user', 'set-role', bob, '--role', 'owner')).toMatchObject({ id: bob, role: 'owner' });
  expect(await at.json('user', 'set-role', ada.id, '--role', 'admin')).toEqual({ ...ada, role: 'admin' });
  expect(await at.fails(1, 'user', 'set-role', unknownId, '--role', 'admin')).toMatch(/no member/);
  expect(await at.fails(2, 'user', 'set-role', bob, '--role', 'root')).toMatch(/owner, admin, member/);
  await at.json('user', 'remove', ada.id);
  expect(await audited(at, account)).toEqual([
    'member_invited',
    'member_invited',
    'password_set',
    'member_role_changed',
    'member_role_changed',
    'member_removed',
  ]);
});

test('people read a table in which the address comes last', async () => {
  const at = await place();
  const account = await company(at);
  await at.json(...create(account, 'ada@example.com', 'owner'));
  const { stdout } = await at.run('user', 'list', '--account', account);
  expect(stdout.toString()).toMatch(/^ID +ROLE +CREATED_AT +EMAIL\n\S{36} +owner +\S{24} +ada@example\.com\n$/);
});

test('the browsers a member is signed in with are listed, and signed out one by one or all', async () => {
  const at = await place();
  const account = await company(at);
  const ada = await at.json<User>(...create(account, 'ada@example.com', 'owner'));
  const bob = await at.json<User>(...create(account, 'bob@example.com'));
  expect((await at.run('user', 'sessions', ada.id)).stdout.toString()).toBe('signed in nowhere\n');
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  for (const [last, email] of ['ada', 'ada', 'ada', 'bob'].entries()) {
    await sql(
      at.databaseUrl as string,
      `insert into sessions (id, token_hash, person_id, stage, method, ip, user_agent, signed_in_at, last_seen_at, expires_at)
       select '01a1fb00-a7d3-7227-9385-74417900000${last}', sha256('${last}'), id, 'open', 'password', '203.0.113.7',
         '${firefox}', now(), now(), now() + interval '1 day' from people where email = '${email}@example.com'`,
    );
  }
  type Listed = { id: string };
  const [newest, ...rest] = await at.json<Listed[]>('user', 'sessions', ada.id);
  expect(rest).toHaveLength(2);
  expect(newest).toEqual({
    id: '01a1fb00-a7d3-7227-9385-744179000002',
    browser: 'Firefox, Linux',
    ip: '203.0.113.7',
    method: 'password',
    signed_in_at: expect.stringMatching(timestamp),
    last_seen_at: expect.stringMatching(timestamp),
    expires_at: expect.stringMatching(timestamp),
  });
  const [bobs] = await at.json<Listed[]>('user', 'sessions', bob.id);
  expect(await at.fails(1, 'user', 'sign-out', ada.id, '--session', bobs?.id ?? '')).toMatch(
    /no session of this member/,
  );
  expect(await at.fails(1, 'user', 'sign-out', ada.id, '--session', 'nonsense')).toMatch(/no session of this member/);
  const one = await at.json('user', 'sign-out', ada.id, '--session', newest?.id ?? '');
  expect(one).toEqual({ id: ada.id, email: 'ada@example.com', ended: 1 });
  expect(await at.json('user', 'sign-out', ada.id)).toMatchObject({ ended: 2 });
  expect(await at.json('user', 'sessions', ada.id)).toEqual([]);
  expect(await at.json('user', 'sessions', bob.id)).toHaveLength(1);
  expect(await at.fails(1, 'user', 'sign-out', unknownId)).toMatch(/no member/);
  expect(await audited(at, account)).toEqual(['member_invited', 'member_invited', 'session_ended', 'sessions_ended']);
  const named = await sql(
    at.databaseUrl as string,
    "select detail ->> 'email' as email from account_audit_entries where action in ('session_ended', 'sessions_ended')",
  );
  expect(named).toEqual([{ email: 'ada@example.com' }, { email: 'ada@example.com' }]);
});

test('the notices that a member gets as a sender are shown and chosen, and each choice is audited', async () => {
  const at = await place();
  const account = await company(at);
  const { id } = await at.json<User>(
    'user',
    'create',
    '--account',
    account,
    '--email',
    'ruth@example.com',
    '--role',
    'member',
  );
  const all = ['sender_completed', 'sender_declined', 'sender_bounced', 'sender_delegated', 'sender_commented'];
  const shown = { id, email: 'ruth@example.com', off_for_company: [] };
  expect(await at.json('user', 'notices', id)).toEqual({ ...shown, kinds: all });
  const some = await at.json('user', 'notices', id, '--kinds', 'sender_bounced, sender_completed');
  expect(some).toEqual({ ...shown, kinds: ['sender_completed', 'sender_bounced'] });
  expect(await at.json('user', 'notices', id, '--kinds', 'none')).toEqual({ ...shown, kinds: [] });
  expect(await at.json('user', 'notices', id, '--kinds', 'none')).toEqual({ ...shown, kinds: [] });
  expect(await at.fails(2, 'user', 'notices', id, '--kinds', 'recipient_voided')).toContain(
    'unknown: recipient_voided',
  );
  expect(await at.fails(1, 'user', 'notices', unknownId)).toContain('no member');
  await at.json('account', 'notices', account, '--kinds', 'sender_completed');
  expect(await at.json('user', 'notices', id, '--kinds', 'all')).toMatchObject({
    kinds: all,
    off_for_company: all.slice(1),
  });
  expect((await audited(at, account)).filter((action) => action === 'own_notices_chosen')).toHaveLength(3);
});
