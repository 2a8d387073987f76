import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { removeMember } from '../../src/accounts/members.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import type { Tx } from '../../src/postgres/database.ts';
import { addMember, type Member, refusal, signedIn, type Visitor, visit } from '../console/visitor.ts';
import { holdRow, interleave } from '../races/interleave.ts';
import { type Answer, createCompany, startTestService, type TestService } from '../support/service.ts';
import { connect, connectCompany, start } from './vendor/connect-company.ts';
import { consent } from './vendor/consent.ts';
import { startVendorOauth, type VendorOauth, vendorUser } from './vendor/oauth.ts';

/** Connects an account of the e-signature vendor, as an owner's browser does, with a real OAuth server. */
let vendor: VendorOauth;
let app: TestService;

beforeAll(async () => {
  vendor = await startVendorOauth();
  app = await startTestService({ env: vendor.env });
});
afterAll(async () => {
  await app.stop();
  await vendor.stop();
});

const ownerOf = async (accountId: string) => signedIn(app, await addMember(app, accountId, 'owner'));
const newOwner = async () => ownerOf((await createCompany(app)).id);
const connectionOf = async (visitor: Visitor) => (await visitor.get('/connections')).body.data[0];
const comeBack = (visitor: Visitor, callback: URL) => visitor.page(callback.pathname + callback.search);
const isUnconnected = async (visitor: Visitor) => (await connectionOf(visitor)).status === 'not_connected';

test('an owner consents at the vendor, and the company is connected', async () => {
  const company = await createCompany(app);
  const member = await addMember(app, company.id, 'owner');
  const owner = await signedIn(app, member);
  expect(await connectionOf(owner)).toMatchObject({ status: 'not_connected', is_available: true, id: null });

  const question = new URL(await start(owner));
  expect(question.href.startsWith(`${vendor.url}/oauth/auth?`)).toBe(true);
  expect(question.searchParams.get('code_challenge_method')).toBe('S256');
  expect(question.searchParams.get('scope')).toBe('signature extended');
  const answer = await comeBack(owner, await consent(question.href));
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/settings/connections']);

  const connection = await connectionOf(owner);
  expect(connection).toEqual({
    object: 'connection',
    provider: 'esign_vendor',
    id: expect.any(String),
    status: 'connected',
    vendor_account: { id: 'vendor-account-1', name: 'Vendor & Sons' },
    vendor_user: vendorUser,
    connected_by: member.email,
    connected_at: app.clock.now().toISOString(),
    refreshed_at: app.clock.now().toISOString(),
    refused_at: null,
    is_available: true,
  });
  expect(await auditOf(company.id)).toEqual([
    { action: 'esign_connected', person_id: member.personId, connection_id: connection.id },
  ]);
});

test('the default account is taken; one with an address that may not be called is none', async () => {
  const [usual] = vendor.accounts as [VendorOauth['accounts'][0]];
  const other = { ...usual, account_id: 'other', is_default: false };
  const owner = await newOwner();
  try {
    vendor.accounts = [other, { ...usual, account_id: 'default' }];
    await connect(owner);
    expect((await connectionOf(owner)).vendor_account.id).toBe('default');
    for (const accounts of [[], [{ ...usual, base_uri: 'ftp://127.0.0.1' }], [{ ...usual, base_uri: 'not a URL' }]]) {
      vendor.accounts = accounts;
      const unconnected = await newOwner();
      expectNotice(await comeBack(unconnected, await consent(await start(unconnected))), 409, 'no account');
      expect(await isUnconnected(unconnected)).toBe(true);
    }
  } finally {
    vendor.accounts = [usual];
  }
});

test.each(['the company', 'the owner'])(
  'nothing is connected when %s is removed while the vendor answers',
  async (who) => {
    const company = await createCompany(app);
    const member = await addMember(app, company.id, 'owner');
    await addMember(app, company.id, 'owner');
    const owner = await signedIn(app, member);
    const callback = await consent(await start(owner));
    const remove = async (tx: Tx) => {
      if (who === 'the company') await removeAccount(app.world, tx, company.id);
      else await removeMember(app.world, tx, member.id, null);
    };
    const [removed, returned] = await interleave(
      app,
      holdRow('accounts', 'id', company.id),
      () => app.db.transaction(remove),
      () => comeBack(owner, callback),
    );
    expect(removed.ok).toBe(true);
    if (!returned.ok) throw returned.error;
    expect(returned.value.status).toBe(403);
    const text = 'select 1 from esign_connections where account_id = $1';
    expect(await app.db.query({ name: '', text, values: [company.id] })).toEqual([]);
  },
);

describe('nothing is connected, and a page says why,', () => {
  let owner: Visitor;
  let member: Member;
  beforeAll(async () => {
    const company = await createCompany(app);
    member = await addMember(app, company.id, 'owner');
  });
  // Connecting asks for the identity a quarter of an hour after the sign-in.
  beforeEach(async () => {
    owner = await signedIn(app, member);
  });

  test('when the owner refuses', async () => {
    const callback = await consent(await start(owner), 'refuse');
    expectNotice(await comeBack(owner, callback), 200, 'give consent');
    expectNotice(await comeBack(owner, callback), 400, 'already used');
  });

  test('for a state that is missing, made up or of another browser, which then still counts where it was asked', async () => {
    const callback = await consent(await start(owner));
    const stranger = await newOwner();
    const again = visit(app);
    await again.useLink(await mintSignInLink(app.world, app.db, member.personId, 'operator'));
    for (const visitor of [stranger, again]) expectNotice(await comeBack(visitor, callback), 400, 'another browser');
    expectNotice(await comeBack(visit(app), callback), 401, 'no longer signed in');
    for (const state of ['', 'made-up', 'A'.repeat(43), '\0', 'é'.repeat(43)]) {
      const forged = new URL(callback);
      forged.searchParams.set('state', state);
      expectNotice(await comeBack(owner, forged), 400, 'another browser');
    }
    expectNotice(await comeBack(owner, new URL('/console/connections/callback', callback)), 400, 'another browser');
    expect(await isUnconnected(owner)).toBe(true);
    expect((await comeBack(owner, callback)).status).toBe(303);
    await owner.call('DELETE', '/connections/esign_vendor');
  });

  test('for a state that was used, or is older than ten minutes', async () => {
    const used = await consent(await start(owner));
    expect((await comeBack(owner, used)).status).toBe(303);
    await owner.call('DELETE', '/connections/esign_vendor');
    expectNotice(await comeBack(owner, used), 400, 'already used');
    const late = await consent(await start(owner));
    app.clock.advance({ minutes: 10 });
    expectNotice(await comeBack(owner, late), 400, 'older than ten minutes');
    const inTime = await consent(await start(owner));
    app.clock.advance({ minutes: 9, seconds: 59 });
    expect((await comeBack(owner, inTime)).status).toBe(303);
    await owner.call('DELETE', '/connections/esign_vendor');
  });

  test('for a state that was drawn under a SECRET_KEY which is no more', async () => {
    const callback = await consent(await start(owner));
    const text = 'update esign_authorizations set code_verifier = code_verifier || $1::bytea';
    await app.db.query({ name: '', text, values: [Buffer.of(1)] });
    expectNotice(await comeBack(owner, callback), 400, 'another browser');
    expect(await isUnconnected(owner)).toBe(true);
  });

  test('of two browsers’ windows that come back with one state at once, one connects', async () => {
    const callback = await consent(await start(owner));
    const answers = await Promise.all([comeBack(owner, callback), comeBack(owner, callback)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    await owner.call('DELETE', '/connections/esign_vendor');
  });

  test('when they work for another company by then, or own this one no more', async () => {
    const [first, second] = [await createCompany(app), await createCompany(app)];
    const both = await addMember(app, first.id, 'owner');
    await addMember(app, second.id, 'owner', both.email);
    await addMember(app, first.id, 'owner');
    const visitor = await signedIn(app, both);
    await visitor.post('/account', { account_id: first.id });
    const callback = await consent(await start(visitor));
    await visitor.post('/account', { account_id: second.id });
    expectNotice(await comeBack(visitor, callback), 409, 'another company');
    expect(await isUnconnected(visitor)).toBe(true);

    await visitor.post('/account', { account_id: first.id });
    const demoted = await consent(await start(visitor));
    await (await ownerOf(first.id)).post(`/members/${both.id}/role`, { role: 'admin' });
    expectNotice(await comeBack(visitor, demoted), 403, 'Only owners');
    expect(await isUnconnected(visitor)).toBe(true);
  });

  test('when the vendor takes the code for another verifier, or a code that it gave to nobody', async () => {
    const [one, two] = [await consent(await start(owner)), await consent(await start(owner))];
    const swapped = new URL(one);
    swapped.searchParams.set('code', two.searchParams.get('code') as string);
    expectNotice(await comeBack(owner, swapped), 502, 'did not accept');
    const invented = await consent(await start(owner));
    invented.searchParams.set('code', 'invented');
    expectNotice(await comeBack(owner, invented), 502, 'did not accept');
    expect(await isUnconnected(owner)).toBe(true);
  });

  test('while the vendor does not answer', async () => {
    const callback = await consent(await start(owner));
    vendor.goDown(true);
    expectNotice(await comeBack(owner, callback), 502, 'responding');
    vendor.goDown(false);
    expect(await isUnconnected(owner)).toBe(true);
  });
});

test('connecting again replaces what was there, and a refusal is over', async () => {
  const company = await createCompany(app);
  const owner = await connectCompany(app, company.id);
  const before = await connectionOf(owner);
  await app.db.query({
    name: 'refuse',
    text: 'update esign_connections set refused_at = $2 where account_id = $1',
    values: [company.id, app.clock.now()],
  });
  expect((await connectionOf(owner)).status).toBe('reconnect_needed');
  const [usual] = vendor.accounts as [VendorOauth['accounts'][0]];
  vendor.accounts = [{ ...usual, account_id: 'another-account', account_name: 'Another' }];
  await connect(owner);
  vendor.accounts = [usual];
  const after = await connectionOf(owner);
  expect(after).toMatchObject({ status: 'connected', vendor_account: { id: 'another-account' }, id: before.id });
});

test('disconnecting deletes the tokens and has the vendor revoke them; that it could not is said', async () => {
  const company = await createCompany(app);
  const owner = await connectCompany(app, company.id);
  const { id } = await connectionOf(owner);
  expect((await owner.call('DELETE', '/connections/esign_vendor')).body).toEqual({ revoked: true });
  expect(await isUnconnected(owner)).toBe(true);
  expect(refusal(await owner.call('DELETE', '/connections/esign_vendor'))).toEqual([404, 'not_found']);

  await connect(owner);
  vendor.goDown(true);
  expect((await owner.call('DELETE', '/connections/esign_vendor')).body).toEqual({ revoked: false });
  vendor.goDown(false);
  expect(await isUnconnected(owner)).toBe(true);
  const actions = (await auditOf(company.id)).map(({ action, connection_id }) => [action, connection_id === id]);
  expect(actions).toEqual([
    ['esign_connected', true],
    ['esign_disconnected', true],
    ['esign_connected', false],
    ['esign_disconnected', false],
  ]);
});

test('nobody can ask for consent without end', async () => {
  const owner = await newOwner();
  const answers = await Promise.all(Array.from({ length: 31 }, () => owner.post('/connections/esign_vendor/start')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});

test('where the service is not registered with the vendor, that is said', async () => {
  const plain = await startTestService({ databaseUrl: app.databaseUrl, clock: app.clock });
  try {
    const company = await createCompany(plain);
    const owner = await signedIn(plain, await addMember(plain, company.id, 'owner'));
    expect(await connectionOf(owner)).toMatchObject({ status: 'not_connected', is_available: false });
    expect(refusal(await owner.post('/connections/esign_vendor/start'))).toEqual([409, 'connections_unavailable']);
  } finally {
    await plain.stop();
  }
});

function expectNotice({ status, text, headers }: Answer, expected: number, words: string): void {
  expect([status, text]).toEqual([expected, expect.stringContaining(words)]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
}

async function auditOf(accountId: string) {
  return app.db.query<{ action: string; person_id: string; connection_id: string }>({
    name: 'test_audit',
    text: `select action, person_id, detail->>'connection_id' as connection_id from account_audit_entries
           where account_id = $1 and action like 'esign%' order by id`,
    values: [accountId],
  });
}
