import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginTotp, confirmTotp } from '../../src/identity/second-factor.ts';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { codeAt } from '../../src/identity/totp.ts';
import { roleOf } from '../../src/sso/role-of.ts';
import { placeOn } from '../cli/countersign.ts';
import { addMember, refusal, signedIn, type Visitor, visit } from '../console/visitor.ts';
import type { TestService } from '../support/service.ts';
import { secretBoxOf } from '../support/webhooks.ts';
import { clientSecret, startProvider, type TestProvider } from './provider.ts';
import { createSsoCompany, reasonOf, type SsoCompany, signInWith, startSsoService } from './sso-company.ts';

let provider: TestProvider;
let app: TestService;

beforeAll(async () => {
  provider = await startProvider();
  app = await startSsoService();
});
beforeEach(() => app.clock.advance({ minutes: 16 }));
afterAll(async () => {
  await app.stop();
  await provider.stop();
});

let people = 0;
/** Someone whom the provider knows, in a domain. */
function someone(domain: string, claims: object = {}): string {
  const email = `someone-${++people}@${domain}`;
  provider.subject = `subject-${people}`;
  provider.people.set(provider.subject, { email, ...claims });
  return email;
}

const claims = (changes: object) =>
  provider.people.set(provider.subject, { ...provider.people.get(provider.subject), ...changes });
const roleOfSession = async (visitor: Visitor) => (await visitor.get('/me')).body.role;
const failed = (reason: string) => [403, 'sso_failed', reason];

const mapping = {
  role_claim: 'groups',
  roles: [
    { value: 'Contract Admins', role: 'admin' },
    { value: 'Everyone', role: 'member' },
  ],
};

async function membersOf({ owner }: SsoCompany): Promise<{ id: string; email: string; role: string }[]> {
  return (await owner.get('/members')).body.data;
}

test('people of a proven domain join at their first sign-in, with the default role', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'join.example', default_role: 'member' });
  const email = someone('join.example');
  const { visitor, answer } = await signInWith(app, company.ssoId);
  expect(answer.status).toBe(200);
  expect(await roleOfSession(visitor)).toBe('member');
  expect((await membersOf(company)).map((member) => member.email)).toContain(email);
  const audit = await app.db.query({
    name: '',
    text: `select action, detail - 'member_id' as detail from account_audit_entries where account_id = $1 and action like 'member%'
           and person_id is not null order by id`,
    values: [company.id],
  });
  expect(audit).toEqual([{ action: 'member_joined', detail: { email, role: 'member' } }]);
  // The second time they are a member.
  expect((await signInWith(app, company.ssoId)).answer.status).toBe(200);
  expect(await membersOf(company)).toHaveLength(2);
});

test('many at once join once', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'race.example', default_role: 'member' });
  someone('race.example');
  const answers = await Promise.all([1, 2, 3, 4].map(() => signInWith(app, company.ssoId)));
  expect(answers.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 200]);
  expect(await membersOf(company)).toHaveLength(2);
});

test('people of another or a sub-domain, and of a domain that was removed, do not join', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'strict.example', default_role: 'member' });
  for (const domain of ['other.example', 'sub.strict.example', 'strict.example.evil.example']) {
    someone(domain, { email_verified: true });
    expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('not_member'));
  }
  someone('STRICT.example');
  await company.owner.post('/sso/domains/remove', { domain: 'strict.example' });
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('email_unverified'));
});

test('without a default role, only people with a matching group join', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'groups.example', ...mapping });
  for (const groups of [undefined, [], 'everyone', ['Contract Admin'], { Everyone: true }, [['Everyone']], [7]]) {
    someone('groups.example', { groups });
    expect(reasonOf((await signInWith(app, company.ssoId)).answer), String(groups)).toEqual(failed('not_member'));
  }
  for (const [groups, role] of [
    ['Everyone', 'member'],
    [['Everyone', 'Contract Admins'], 'admin'],
  ] as const) {
    someone('groups.example', { groups });
    expect(await roleOfSession((await signInWith(app, company.ssoId)).visitor)).toBe(role);
  }
});

test('roles follow the groups at each sign-in, except those of owners', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'follow.example', ...mapping });
  someone('follow.example', { groups: ['Contract Admins'] });
  const { visitor } = await signInWith(app, company.ssoId);
  expect(await roleOfSession(visitor)).toBe('admin');
  claims({ groups: ['Everyone'] });
  await signInWith(app, company.ssoId);
  expect(await roleOfSession(visitor)).toBe('member'); // from the next request on
  claims({ groups: ['Contract Admins'] });
  await signInWith(app, company.ssoId);
  expect(await roleOfSession(visitor)).toBe('admin');
  claims({ groups: undefined });
  expect(await roleOfSession((await signInWith(app, company.ssoId)).visitor)).toBe('member');

  const { data: entries } = (await company.owner.get('/audit-log?person=service')).body;
  expect(entries).toHaveLength(3);
  expect(entries[0]).toMatchObject({ action: 'member_role_changed', by: { kind: 'service', email: null } });
  expect(entries[0].text).toMatch(/, admin → member, single sign-on$/);

  const email = someone('follow.example', { groups: ['Everyone'] });
  await addMember(app, company.id, 'owner', email);
  expect(await roleOfSession((await signInWith(app, company.ssoId)).visitor)).toBe('owner');
});

test('a role stays when the provider leaves the groups out, because they are too many', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'many.example', ...mapping });
  const leftOut = {
    groups: undefined,
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://x' } },
  };
  someone('many.example', { groups: ['Contract Admins'] });
  expect(await roleOfSession((await signInWith(app, company.ssoId)).visitor)).toBe('admin');
  claims(leftOut);
  expect(await roleOfSession((await signInWith(app, company.ssoId)).visitor)).toBe('admin');
  someone('many.example', leftOut);
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('groups_missing'));
});

test('without a mapping, roles stay as they are', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'stay.example', default_role: 'member' });
  await addMember(app, company.id, 'admin', someone('stay.example', { groups: ['Everyone'] }));
  expect(await roleOfSession((await signInWith(app, company.ssoId)).visitor)).toBe('admin');
});

test('groups in a nested claim are found by its path', async () => {
  const company = await createSsoCompany(app, provider, {
    domain: 'nested.example',
    role_claim: 'realm_access.roles',
    roles: [{ value: 'signers', role: 'admin' }],
  });
  someone('nested.example', { realm_access: { roles: ['offline_access', 'signers'] } });
  expect(await roleOfSession((await signInWith(app, company.ssoId)).visitor)).toBe('admin');
});

test('the highest matching role counts, and nobody becomes an owner', () => {
  const roles = [...mapping.roles] as Parameters<typeof roleOf>[0]['roles'];
  expect(roleOf({ roles, default_role: null }, [])).toBe(null);
  expect(roleOf({ roles, default_role: 'member' }, ['owner'])).toBe('member');
  expect(roleOf({ roles, default_role: 'admin' }, ['Everyone'])).toBe('member');
  expect(roleOf({ roles, default_role: null }, ['Everyone', 'Contract Admins'])).toBe('admin');
});

test('removed members stay out until someone invites them again', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'out.example', default_role: 'member' });
  const email = someone('out.example');
  const { visitor } = await signInWith(app, company.ssoId);
  const remove = async () => {
    const member = (await membersOf(company)).find((each) => each.email === email);
    expect((await company.owner.call('DELETE', `/members/${member?.id}`)).status).toBe(200);
  };
  await remove();
  expect(refusal(await visitor.get('/me'))).toEqual([401, 'not_signed_in']);
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('removed'));
  // Another account at the provider with the same address is no way around.
  provider.people.set('another', { email });
  provider.subject = 'another';
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('removed'));

  await company.owner.post('/members', { email, role: 'member' });
  // The invitation doesn't bring the old session back.
  expect(refusal(await visitor.get('/me'))).toEqual([401, 'not_signed_in']);
  provider.subject = `subject-${people}`;
  expect((await signInWith(app, company.ssoId)).answer.status).toBe(200);

  // Someone who never came with single sign-on.
  const invited = someone('out.example');
  const { id } = await addMember(app, company.id, 'member', invited);
  await company.owner.call('DELETE', `/members/${id}`);
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('removed'));
});

test('someone who was removed and is invited with a new address gets in, and nobody else does', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'renamed.example', default_role: 'member' });
  const email = someone('renamed.example');
  const subject = provider.subject;
  await signInWith(app, company.ssoId);
  const member = (await membersOf(company)).find((each) => each.email === email);
  expect((await company.owner.call('DELETE', `/members/${member?.id}`)).status).toBe(200);

  // A new address alone lets nobody join again.
  const renamed = 'renamed@renamed.example';
  claims({ email: renamed });
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('removed'));
  await company.owner.post('/members', { email: renamed, role: 'admin' });
  claims({ email_verified: false });
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('email_unverified'));
  claims({ email_verified: true });
  const { visitor, answer } = await signInWith(app, company.ssoId);
  expect(answer.status).toBe(200);
  expect((await visitor.get('/me')).body).toMatchObject({ person: { email: renamed }, role: 'admin' });
  // They are linked again, so the address can change at the provider.
  claims({ email: 'other@renamed.example' });
  expect((await (await signInWith(app, company.ssoId)).visitor.get('/me')).body.person.email).toBe(renamed);

  // A member who is linked already is someone else.
  const linked = someone('renamed.example');
  await signInWith(app, company.ssoId);
  const second = (await membersOf(company)).find((each) => each.email === renamed);
  await company.owner.call('DELETE', `/members/${second?.id}`);
  provider.subject = subject;
  claims({ email: linked });
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual(failed('other_subject'));
});

async function withAuthenticator(personId: string): Promise<void> {
  const box = await secretBoxOf(app);
  const secret = await beginTotp(app.world, app.db, box, personId);
  await app.db.transaction((tx) => confirmTotp(app.world, tx, box, personId, codeAt(secret, app.clock.now())));
}

test('only single sign-on closes the company to other sessions, except those of owners with two factors', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'only.example', default_role: 'member' });
  const second = await addMember(app, company.id, 'owner');
  const weak = await signedIn(app, second);
  const admin = await addMember(app, company.id, 'admin');
  const before = await signedIn(app, admin);

  expect(refusal(await company.save({ is_required: true }))).toEqual([409, 'sso_untried']);
  someone('only.example');
  const { visitor } = await signInWith(app, company.ssoId);
  expect(refusal(await company.save({ is_required: true }))).toEqual([409, 'owner_factor_needed']);
  await withAuthenticator(company.ownerMember.personId);
  // A sign-in with the secret of before says nothing about the present one.
  for (const client_secret of ['wrong', clientSecret]) {
    app.clock.advance({ seconds: 1 });
    expect((await company.save({ client_secret })).status, client_secret).toBe(200);
    expect(refusal(await company.save({ is_required: true })), client_secret).toEqual([409, 'sso_untried']);
  }
  expect((await signInWith(app, company.ssoId)).answer.status).toBe(200);
  expect((await company.save({ is_required: true })).body.is_required).toBe(true);

  expect((await visitor.get('/documents')).status).toBe(200);
  expect((await company.owner.get('/documents')).status).toBe(200);
  expect(refusal(await before.get('/documents'))).toEqual([403, 'forbidden']);
  expect(refusal(await weak.get('/sso'))).toEqual([403, 'forbidden']);
  // Nor may they gain a factor by the password or the mailbox alone, and come in with it as owners, now or later.
  for (const path of ['/totp', '/passkeys/options']) {
    for (const kept of [weak, before]) expect(refusal(await kept.post(path, {})), path).toEqual([403, 'factor_locked']);
  }
  // The last way in without the provider stays.
  const locked = [409, 'owner_factor_needed'];
  expect(refusal(await company.owner.call('DELETE', '/totp'))).toEqual(locked);
  const own = (await membersOf(company)).find(({ email }) => email === company.ownerMember.email)?.id;
  expect(refusal(await company.owner.post(`/members/${own}/role`, { role: 'admin' }))).toEqual(locked);
  expect(refusal(await company.owner.call('DELETE', `/members/${own}`))).toEqual(locked);
  const at = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  for (const command of [['remove'], ['set-role', '--role', 'admin']])
    expect(await at.fails(1, 'user', ...command, own as string)).toContain('without single sign-on');
  const erase = ['erase', '--email', company.ownerMember.email];
  for (const confirm of [[], ['--confirm']])
    expect(await at.fails(1, 'user', ...erase, ...confirm)).toContain('without single sign-on');
  const page = await (await signedIn(app, admin)).page('/documents');
  expect(page.text).toContain('Your company requires single sign-on');
  expect(page.text).toContain(company.ssoId);

  // Another client has not been tried: the requirement ends first.
  const other_client = { client_id: 'another', client_secret: 'another', is_required: true };
  expect(refusal(await company.save(other_client))).toEqual([409, 'sso_untried']);

  // An owner who is not the last way in can lose the role.
  for (const role of ['admin', 'owner']) {
    expect((await company.owner.post(`/members/${second.id}/role`, { role })).status, role).toBe(200);
  }
  // Other companies of the same people stay open.
  const other = await createSsoCompany(app, provider);
  await addMember(app, other.id, 'member', admin.email);
  const me = (await (await signedIn(app, admin)).get('/me')).body;
  expect(me.accounts).toEqual([expect.objectContaining({ id: other.id })]);
  // The closed one is named with its way in, also by a link that would have opened it.
  expect(me.closed_accounts).toEqual([expect.objectContaining({ id: company.id, sso_id: company.ssoId })]);
  const linkTo = ({ id }: SsoCompany) => mintSignInLink(app.world, app.db, admin.personId, 'invitation', id);
  const signedInTo = async (to: SsoCompany) => (await visit(app).useLink(await linkTo(to))).body;
  expect(await signedInTo(company)).toEqual({ next: 'signed_in', sso_id: company.ssoId });
  expect(await signedInTo(other)).toEqual({ next: 'signed_in' });

  expect((await company.save({ is_required: false })).status).toBe(200);
  expect((await before.get('/documents')).status).toBe(200);
});

test('removing single sign-on ends its sessions and lets people in again in other ways', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'end.example', default_role: 'member' });
  const email = someone('end.example');
  const { visitor } = await signInWith(app, company.ssoId);
  await withAuthenticator(company.ownerMember.personId);
  const { body } = await company.save({ is_required: true });
  expect((await company.owner.post('/sso/remove', { version: body.version })).body).toMatchObject({
    version: 0,
    is_required: false,
  });
  expect((await visitor.get('/me')).status).toBe(401);
  const [found] = await app.db.query<{ id: string }>({
    name: '',
    text: 'select id from people where email = $1',
    values: [email],
  });
  expect((await (await signedIn(app, { personId: found?.id ?? '' })).get('/documents')).status).toBe(200);
});

test('a sensitive change needs a recent sign-in at the provider, and its time counts', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'fresh.example' });
  const email = someone('fresh.example');
  await addMember(app, company.id, 'owner', email);
  const { visitor } = await signInWith(app, company.ssoId);
  const change = () => visitor.post('/sso/domains', { domain: 'more.example' });
  expect((await change()).status).toBe(200);
  app.clock.advance({ minutes: 16 });
  expect(refusal(await change())).toEqual([403, 'sign_in_again']);
  // Signed in at the provider an hour ago.
  provider.change = (path, answer) => {
    if (path !== '/token') return null;
    const json = JSON.parse(answer);
    const token = JSON.parse(Buffer.from(json.id_token.split('.')[1], 'base64url').toString());
    return JSON.stringify({ ...json, id_token: provider.token({ ...token, auth_time: token.iat - 3600 }) });
  };
  const old = await signInWith(app, company.ssoId);
  provider.change = null;
  expect(refusal(await old.visitor.post('/sso/domains', { domain: 'more.example' }))).toEqual([403, 'sign_in_again']);
  const started = await visit(app).post('/sign-in/sso/start', { id: company.ssoId, again: true });
  const asked = new URL(started.body.redirect_to).searchParams;
  expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
});
