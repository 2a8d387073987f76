import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AccountAction, accountActions, auditAccount } from '../../src/accounts/account-audit.ts';
import { createMember, removeMember } from '../../src/accounts/members.ts';
import { describeAction } from '../../src/audit-log/audit-sentences.ts';
import { actionsLookedAtMax } from '../../src/audit-log/read-audit-log.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, type Member, password, refusal, signedIn, type Visitor } from './visitor.ts';

/** The audit log of a company, through the console. */
let app: TestService;
let company: Company;
let owner: Member;
let admin: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  app = await startTestService();
  stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  owner = await addMember(app, company.id, 'owner');
  admin = await signedIn(app, owner);
  // The ids of the service and of this test only ascend together from one moment to the next.
  app.clock.advance({ seconds: 1 });
});

const invalid = [400, 'invalid_input'];

interface Entry {
  id: string;
  action: AccountAction;
  by: { kind: string; email: string | null; is_member: boolean };
  text: string;
}

const list = async (query = '', visitor = admin): Promise<Entry[]> =>
  (await visitor.get(`/audit-log?limit=100${query}`)).body.data;
const actions = async (query = '', visitor = admin) => (await list(query, visitor)).map(({ action }) => action);
const note = (
  action: AccountAction,
  detail: object = {},
  personId: string | null = owner.personId,
  accountId: string | null = company.id,
) => auditAccount(app.world, app.db, { accountId, personId, action, detail: { ...detail } });

async function emailOf(member: Member): Promise<string> {
  const [row] = await app.db.query<{ email: string }>({
    name: '',
    text: 'select email from people where id = $1',
    values: [member.personId],
  });
  return (row as { email: string }).email;
}

test('what was done is told newest first, with who did it, in the language of the reader', async () => {
  await note('plan_changed', { from: 'team', to: 'pro' }, null);
  await note('member_role_changed', { email: 'eve@example.com', from: 'member', to: 'owner' });
  const [changed, plan] = await list();
  const email = await emailOf(owner);
  expect(changed).toMatchObject({
    by: { kind: 'person', email, is_member: true },
    text: 'changed the role of a member: eve@example.com, member → owner',
  });
  expect(plan).toMatchObject({ by: { kind: 'operator', email: null }, text: 'changed the plan: team → pro' });
  expect(changed).not.toHaveProperty('detail');

  await note('custom_domain_activated', { host: 'sign.example', by: 'dns' }, null);
  await note('custom_domain_broken', { host: 'sign.example', problem: 'record_missing' }, null);
  await note('custom_domain_activated', { host: 'sign.example', by: 'operator' }, null);
  const kinds = (await list()).slice(0, 3).map(({ by }) => by.kind);
  expect(kinds).toEqual(['operator', 'service', 'service']);
  expect(await actions('&person=service')).toEqual(['custom_domain_broken', 'custom_domain_activated']);
  expect(describeAction('member_role_changed', { from: 'member', to: 'owner' }, 'es')).toBe(
    'cambió el rol de un miembro: miembro → propietario',
  );
  expect(await actions('', stranger)).not.toContain('plan_changed');
});

test('every action has a sentence in both languages, whatever its details are', () => {
  for (const action of accountActions) {
    for (const language of ['en', 'es'] as const) {
      for (const detail of [{}, { erased_at: 'x' }, { email: 1, scopes: 'all', types: null, mode: [] }]) {
        expect(describeAction(action, detail, language)).toMatch(/^\p{L}[^{}]+$/u);
      }
    }
  }
});

test('entries are filtered by action, person, time and words', async () => {
  await note('key_created', { hint: 'abcd', mode: 'live', scopes: ['documents:read'] });
  app.clock.advance({ minutes: 10 });
  const middle = app.clock.now().toISOString();
  await note('brand_changed', { changed: 'logo' }, null);
  await note('webhook_added', { url: 'https://hooks.example.com/100%_in', events: [] });
  const email = await emailOf(owner);
  const filter = (name: string, value: string) => actions(`&${name}=${encodeURIComponent(value)}`);
  expect(await filter('action', 'key_created')).toContain('key_created');
  expect(await filter('person', 'operator')).toContain('brand_changed');
  expect(await filter('person', email.toUpperCase())).toEqual(expect.arrayContaining(['webhook_added', 'key_created']));
  expect(await filter('person', 'nobody@example.com')).toEqual([]);
  expect(await filter('from', middle)).toEqual(['webhook_added', 'brand_changed']);
  expect(await filter('to', middle)).not.toContain('brand_changed');
  expect(await filter('search', '100%_in')).toEqual(['webhook_added']);
  expect(await filter('search', '100__in')).toEqual([]);
  expect(await filter('search', 'API abcd')).toEqual(['key_created']);
  expect(await filter('search', 'marca')).toEqual(['brand_changed']);
  expect(await filter('search', `${email} webhook`)).toEqual(['webhook_added']);
  expect(await filter('search', '\\ " ? $1 \u202e')).toEqual([]);
  for (const bad of [
    'action=lost',
    'from=now',
    'to=2026-02-30',
    'search=%00',
    `search=${'x'.repeat(201)}`,
    'person=%00',
    'starting_after=x',
  ]) {
    const [status] = refusal(await admin.get(`/audit-log?${bad}`));
    expect(status, bad).toBe(400);
  }
  expect(refusal(await admin.get('/audit-log?action=lost'))).toEqual(invalid);
  expect(refusal(await admin.get('/audit-log/export?format=xml'))).toEqual(invalid);
});

test('a search finds what only the shown sentence has, in either language', async () => {
  await note('member_role_changed', { email: 'eve@example.com', from: 'member', to: 'owner' });
  await note('signed_in', { method: 'password', second_factor: 'totp', ip: '192.0.2.1' });
  await note('types_restricted', { types: ['invoice'] });
  await note('upload_started', { files: 3 });
  await note('brand_changed', { changed: 'settings' }, null);
  const search = (words: string) => actions(`&search=${encodeURIComponent(words)}`);
  expect(await search('propietario')).toEqual(['member_role_changed', 'member_invited']);
  expect(await search('authenticator')).toEqual(['signed_in']);
  expect(await search('Factura')).toEqual(['types_restricted']);
  expect(await search('files')).toEqual(['upload_started']);
  expect(await search('archivos 3')).toEqual(['upload_started']);
  expect(await search('colour sender')).toEqual(['brand_changed']);
  expect(await search('Operador marca')).toEqual(['brand_changed']);
  expect(await search('operator factura')).toEqual([]);
  const gone = await addMember(app, company.id, 'admin');
  await note('esign_connected', {}, gone.personId);
  await app.db.transaction((tx) => erasePerson(app.world, tx, gone.personId));
  expect(await search('borrada')).toContain('esign_connected');
});

test('pages follow each other without a gap, and a cursor belongs to its filters', async () => {
  for (let i = 0; i < 7; i++) await note('notices_chosen', { i });
  const found: string[] = [];
  let cursor = '';
  do {
    const { body } = await admin.get(
      `/audit-log?limit=3&action=notices_chosen${cursor && `&starting_after=${cursor}`}`,
    );
    found.push(...body.data.map(({ id }: Entry) => id));
    cursor = body.has_more ? body.next_cursor : '';
    if (cursor) expect((await admin.get(`/audit-log?limit=3&starting_after=${cursor}`)).status).toBe(400);
  } while (cursor);
  expect(found).toEqual((await list('&action=notices_chosen')).map(({ id }) => id));
  expect(new Set(found).size).toBe(7);
});

test('a search ends after a bounded number of entries, says how far it came, and goes on from there', async () => {
  await note('credits_added', { amount: 77_123 }, null);
  app.clock.advance({ seconds: 1 });
  const at = app.clock.now();
  const ids = Array.from({ length: actionsLookedAtMax }, () => app.world.newId());
  await app.db.query({
    name: '',
    text: `insert into account_audit_entries (id, account_id, at, action, detail)
           select id, $2, $3, 'notices_chosen', '{}' from unnest($1::uuid[]) id`,
    values: [ids, company.id, at],
  });
  const first = (await admin.get('/audit-log?search=77123')).body;
  expect(first).toMatchObject({ data: [], has_more: true, searched_to: expect.any(String) });
  const second = (await admin.get(`/audit-log?search=77123&starting_after=${first.next_cursor}`)).body;
  expect(second).toMatchObject({ data: [{ text: 'added credits: 77123' }], has_more: false, searched_to: null });
  const lines = (await admin.get('/audit-log/export?format=json&search=77123')).text.split('\n');
  expect(lines).toHaveLength(2);
  expect((await admin.get('/audit-log/export?format=json')).text.split('\n').length).toBeGreaterThan(
    actionsLookedAtMax,
  );
});

test("a member's factors are in the log of a company that they opened, and in no other", async () => {
  const member = await addMember(app, company.id, 'member');
  const invited = await addMember(app, company.id, 'member');
  await note('password_set', { sessions_ended: 0 }, member.personId, null);
  await note('signed_in', { method: 'password', ip: '192.0.2.7' }, member.personId);
  await note('totp_confirmed', {}, member.personId, null);
  await note('sign_in_failed', { method: 'password', ip: '192.0.2.8' }, invited.personId, null);
  expect(await actions('&search=192.0.2')).toEqual(['signed_in']);
  expect(await actions('&action=totp_confirmed')).toEqual(['totp_confirmed']);
  expect(await actions('&action=password_set')).toEqual([]);
  expect(await actions('&action=totp_confirmed', stranger)).toEqual([]);
  await admin.call('DELETE', `/members/${member.id}`);
  expect(await actions('&action=totp_confirmed')).toEqual([]);
  const [left] = await list('&action=signed_in&search=192.0.2.7');
  expect(left?.by).toMatchObject({ kind: 'person', is_member: false });

  const again = { accountId: company.id, email: member.email, role: 'member' } as const;
  await app.db.transaction((tx) => createMember(app.world, tx, again, null));
  expect(await actions('&action=totp_confirmed')).toEqual([]);
});

test('single sign-on opens no one’s own sign-in history, and what its sessions do is in the log of its company alone', async () => {
  const other = await createCompany(app);
  const person = await addMember(app, other.id, 'owner');
  const again = { accountId: company.id, email: person.email, role: 'member' } as const;
  await app.db.transaction((tx) => createMember(app.world, tx, again, null));
  app.clock.advance({ seconds: 1 });
  await note('signed_in', { method: 'sso', second_factor: 'sso', ip: '192.0.2.1' }, person.personId);
  await note('company_opened', { method: 'sso' }, person.personId);
  await note('password_set', { sessions_ended: 1 }, person.personId, null);
  expect(await actions('&action=password_set')).toEqual([]);
  expect((await list('&action=signed_in&search=192.0.2.1'))[0]?.text).toBe('signed in: single sign-on, 192.0.2.1');
  app.clock.advance({ seconds: 1 });
  await note('company_opened', { method: 'password' }, person.personId);
  await note('totp_confirmed', {}, person.personId, null);
  expect(await actions('&action=totp_confirmed')).toEqual(['totp_confirmed']);
});

test('what the operator does to a member names the member', async () => {
  const done: [AccountAction, string][] = [
    ['sign_in_link_created', 'created a sign-in link for a member'],
    ['totp_removed', 'removed an authenticator'],
    ['password_removed', 'removed a password'],
    ['password_set', 'set a password'],
    ['session_ended', 'signed out a browser'],
    ['sessions_ended', 'signed out all browsers of a member'],
    ['saved_signature_removed', 'removed a saved signature or saved initials'],
  ];
  for (const [action] of done) await note(action, { member_id: owner.id, email: 'eve@named.example' }, null);
  const found = (await list('&search=eve@named.example')).map(({ by, text }) => `${by.kind} ${text}`);
  expect(found).toEqual(done.map(([, sentence]) => `operator ${sentence}: eve@named.example`).reverse());
});

test('changes of single sign-on say whether it is required, and as what new people join', async () => {
  const issuer = 'https://idp.example';
  await note('sso_set', { issuer, is_required: true, default_role: null });
  await note('sso_set', { issuer, is_required: false, default_role: 'admin' });
  const [off, on] = await list('&action=sso_set');
  expect(on?.text).toBe('set up single sign-on: https://idp.example, only single sign-on');
  expect(off?.text).toBe('set up single sign-on: https://idp.example, other ways to sign in too, new people: admin');
});

test('someone whom single sign-on refused is nobody in particular, and not the operator', async () => {
  await note('sign_in_failed', { method: 'sso', reason: 'not_member', ip: '192.0.2.9' }, null);
  const text = 'was refused when signing in: single sign-on, not_member, 192.0.2.9';
  expect(await list('&action=sign_in_failed')).toMatchObject([{ by: { kind: 'unknown', email: null }, text }]);
  expect(await actions('&action=sign_in_failed&person=operator')).toEqual([]);
});

test('an erased person’s address is gone however it was written', async () => {
  const member = await addMember(app, company.id, 'member', 'zoé@bücher.example');
  const written = ['ZOé@xn--bcher-kva.example', ' zoe\u0301@BÜCHER.example'];
  for (const email of written) await note('member_invited', { email, role: 'member' }, null);
  await note('member_invited', { email: 'zoe@bücher.example', role: 'member' }, null);
  await app.db.transaction((tx) => erasePerson(app.world, tx, member.personId));
  const invited = (await list('&action=member_invited')).map(({ text }) => text);
  expect(invited.filter((text) => text.endsWith('details erased'))).toHaveLength(written.length + 1);
  expect(invited).toContain('invited a member: zoe@bücher.example, member');
});

test('someone who was erased is shown as erased, without details', async () => {
  const member = await addMember(app, company.id, 'admin');
  await note('key_created', { hint: 'wxyz', mode: 'live' }, member.personId);
  await app.db.transaction((tx) => erasePerson(app.world, tx, member.personId));
  const [entry] = await list('&action=key_created');
  expect(entry).toMatchObject({ by: { kind: 'erased', email: null }, text: 'created an API key: details erased' });
  expect((await admin.get('/audit-log/export?format=csv')).text).toContain('"Erased person"');
});

test('the export has all matching entries, guarded against formulas, and only those', async () => {
  await note('member_invited', { email: '=HYPERLINK("https://evil.example")', role: 'member' }, null);
  await note('brand_changed', { changed: 'logo' });
  const csv = await admin.get('/audit-log/export?action=member_invited&person=operator');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.headers.get('content-disposition')).toMatch(/audit%20log-2026-\d\d-\d\d\.csv$/);
  expect(csv.text).toContain('"Time (UTC)","Person","What","Action","Details","ID"');
  expect(csv.text).not.toMatch(/(^|,)"?=/m);
  expect(csv.text).not.toContain('brand_changed');
  const json = await admin.get('/audit-log/export?format=json&action=brand_changed');
  expect(JSON.parse(json.text)).toMatchObject({ action: 'brand_changed', detail: { changed: 'logo' } });
  const foreign = await stranger.get('/audit-log/export?format=json&search=hyperlink');
  expect(foreign.text).toBe('');
});

test('an invitation that is sent again and a company that is opened are recorded', async () => {
  const invited = await addMember(app, company.id, 'member');
  app.clock.advance({ seconds: 1 });
  await admin.post(`/members/${invited.id}/invitation`);
  await admin.post('/account', { account_id: company.id });
  expect((await actions()).slice(0, 2)).toEqual(['company_opened', 'invitation_sent']);
});

test('a company that opens because the person has left the other one is recorded once, before what they do', async () => {
  const member = await addMember(app, (await createCompany(app)).id, 'member');
  const visitor = await signedIn(app, member);
  app.clock.advance({ seconds: 1 });
  await admin.post('/members', { email: member.email, role: 'admin' });
  await app.db.transaction((tx) => removeMember(app.world, tx, member.id, null));
  app.clock.advance({ seconds: 1 });
  expect((await visitor.get('/me')).body.account.id).toBe(company.id);
  app.clock.advance({ seconds: 1 });
  expect((await visitor.post('/totp')).status).toBe(200);
  await visitor.post('/password', { current: password, password: 'a very odd sentence 77' });
  expect((await actions()).slice(0, 3)).toEqual(['password_set', 'company_opened', 'member_invited']);
});
