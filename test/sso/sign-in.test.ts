import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { addMember, signedIn, visit } from '../console/visitor.ts';
import { eventually, type TestService } from '../support/service.ts';
import { startProvider, type TestProvider } from './provider.ts';
import { comeBack, createSsoCompany, reasonOf, signInWith, startSsoService } from './sso-company.ts';

let provider: TestProvider;
let app: TestService;

beforeAll(async () => {
  provider = await startProvider();
  app = await startSsoService();
});
afterAll(async () => {
  await app.stop();
  await provider.stop();
});

let people = 0;
function person(claims: object = {}): { subject: string; email: string } {
  const subject = `subject-${++people}`;
  const email = `person-${people}@own.example`;
  provider.people.set(subject, { email, email_verified: true, ...claims });
  provider.subject = subject;
  return { subject, email };
}

test('a member signs in with PKCE, state and nonce, and gets a session for this company only', async () => {
  const company = await createSsoCompany(app, provider);
  const other = await createSsoCompany(app, provider);
  const { email } = person();
  await addMember(app, company.id, 'admin', email);
  const member = await addMember(app, other.id, 'owner', email);
  const visitor = visit(app);
  const started = await visitor.post('/sign-in/sso/start', { id: company.ssoId, email, next: '/settings/members' });
  const address = new URL(started.body.redirect_to);
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    login_hint: email,
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  const { visitor: second, answer } = await signInWith(app, company.ssoId);
  expect(answer.body).toEqual({ next: 'signed_in', to: '/' });
  const me = (await second.get('/me')).body;
  expect(me.accounts).toEqual([expect.objectContaining({ id: company.id })]);
  expect(me).toMatchObject({
    role: 'admin',
    person: { email },
    has_password: false,
    sso: { id: company.ssoId },
  });
  expect((await second.post('/account', { account_id: other.id })).status).toBe(404);
  // The person's own session opens both.
  expect((await (await signedIn(app, member)).get('/me')).body.accounts).toHaveLength(2);
});

test('the sign-in leads back to where it began', async () => {
  const company = await createSsoCompany(app, provider);
  const { email } = person();
  await addMember(app, company.id, 'member', email);
  const visitor = visit(app);
  const query = await comeBack(app, visitor, company.ssoId, { next: '/settings/members' });
  const answer = await visitor.post('/sign-in/sso/complete', { account: company.id, query });
  expect(answer.body).toEqual({ next: 'signed_in', to: '/settings/members' });
  expect((await visitor.page('/settings/members')).status).toBe(200);
});

test('claims that are in the user info only are found there', async () => {
  const bare = await startProvider({ inToken: false });
  const company = await createSsoCompany(app, bare);
  await addMember(app, company.id, 'member', 'bare@own.example');
  bare.people.set('bare', { email: 'bare@own.example', email_verified: true });
  bare.subject = 'bare';
  expect((await signInWith(app, company.ssoId)).answer.body.next).toBe('signed_in');
  expect(bare.requests).toContain('/me');
  await bare.stop();
});

test('the subject is bound at the first sign-in: another address keeps the member, another subject is refused', async () => {
  const company = await createSsoCompany(app, provider);
  const { subject, email } = person();
  await addMember(app, company.id, 'member', email);
  await signInWith(app, company.ssoId);
  provider.people.set(subject, { email: 'renamed@own.example', email_verified: true });
  const renamed = await signInWith(app, company.ssoId);
  expect((await renamed.visitor.get('/me')).body.person.email).toBe(email);

  const again = person({ email });
  expect(again.subject).not.toBe(subject);
  const refused = await signInWith(app, company.ssoId);
  expect(reasonOf(refused.answer)).toEqual([403, 'sso_failed', 'other_subject']);

  // An owner unlinks the old account.
  expect((await company.owner.post('/sso/unlink', { email })).status).toBe(200);
  expect((await renamed.visitor.get('/me')).status).toBe(401);
  expect((await signInWith(app, company.ssoId)).answer.body.next).toBe('signed_in');
});

test('one provider with two companies binds a subject for each of them', async () => {
  const [one, two] = [await createSsoCompany(app, provider), await createSsoCompany(app, provider)];
  const { email } = person();
  await addMember(app, one.id, 'member', email);
  expect((await signInWith(app, one.ssoId)).answer.body.next).toBe('signed_in');
  expect(reasonOf((await signInWith(app, two.ssoId)).answer)).toEqual([403, 'sso_failed', 'not_member']);
});

test('someone who is no member, or whose address nobody vouches for, does not get in', async () => {
  const company = await createSsoCompany(app, provider, { default_role: 'member' });
  person();
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual([403, 'sso_failed', 'not_member']);
  const unverified = person({ email_verified: false });
  await addMember(app, company.id, 'member', unverified.email);
  expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual([403, 'sso_failed', 'email_unverified']);
  for (const email of [undefined, '', 'no address', 7, 'a@b.example\nx']) {
    person({ email });
    expect(reasonOf((await signInWith(app, company.ssoId)).answer)).toEqual([403, 'sso_failed', 'no_email']);
  }
});

test('the domain alone decides whether single sign-on is offered', async () => {
  const domain = 'offered.example';
  const company = await createSsoCompany(app, provider, { domain });
  const visitor = visit(app);
  const ask = async (typed: string) => (await visitor.post('/sign-in/sso/domain', { domain: typed })).body.id;
  expect(await ask(domain)).toBe(company.ssoId);
  expect(await ask(' OFFERED.example ')).toBe(company.ssoId);
  for (const typed of ['sub.offered.example', 'other.example', '', 'x'.repeat(2000), '\u0000', 'öffered.example']) {
    expect(await ask(typed)).toBe(null);
  }
  await company.owner.post('/sso/remove', { version: 1 });
  expect(await ask(domain)).toBe(null);
});

test('a sign-in is audited, and one with a new browser is reported', async () => {
  const company = await createSsoCompany(app, provider);
  const { email } = person();
  const { personId } = await addMember(app, company.id, 'member', email);
  await signInWith(app, company.ssoId);
  await signInWith(app, company.ssoId);
  const entries = await app.db.query<{ action: string; detail: Record<string, unknown>; account_id: string }>({
    name: '',
    text: 'select account_id, action, detail from account_audit_entries where person_id = $1 order by id',
    values: [personId],
  });
  expect(entries).toEqual([
    {
      account_id: company.id,
      action: 'signed_in',
      detail: {
        method: 'sso',
        second_factor: 'sso',
        ip: '127.0.0.1',
        issuer: provider.issuer,
        methods: ['pwd', 'otp'],
      },
    },
    expect.objectContaining({ action: 'signed_in' }),
  ]);
  const notices = await eventually(
    () => listMailbox(`${app.dataDir}/mailbox`, { to: email }),
    (found) => found.length > 0,
  );
  expect(notices.map(({ subject }) => subject)).toEqual(['New sign-in to Countersign']);
});

test('a company that is removed has no sign-in', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'removed.example' });
  await app.db.query({
    name: '',
    text: 'update accounts set removed_at = $2 where id = $1',
    values: [company.id, app.clock.now()],
  });
  expect((await visit(app).post('/sign-in/sso/start', { id: company.ssoId })).status).toBe(404);
  expect((await visit(app).post('/sign-in/sso/domain', { domain: 'removed.example' })).body.id).toBe(null);
  expect((await visit(app).page(`/sign-in/sso/${company.ssoId}`)).status).toBe(404);
});

test('a browser that only a provider vouched for is new to the person’s own sign-in', async () => {
  const company = await createSsoCompany(app, provider);
  const { email } = person();
  const { personId } = await addMember(app, company.id, 'member', email);
  const { visitor } = await signInWith(app, company.ssoId); // the very first: no notice
  await signInWith(app, company.ssoId, visitor); // known by now
  const link = () => mintSignInLink(app.world, app.db, personId, 'operator');
  await visitor.useLink(await link());
  const notices = () => listMailbox(`${app.dataDir}/mailbox`, { to: email });
  expect(await eventually(notices, (found) => found.length > 0)).toHaveLength(1);
  await visitor.useLink(await link());
  await signInWith(app, company.ssoId, visitor);
  await visit(app).useLink(await link()); // another browser
  expect(await eventually(notices, (found) => found.length > 1)).toHaveLength(2);
});

test('a browser whose session of single sign-on was ended from elsewhere counts as new', async () => {
  const company = await createSsoCompany(app, provider);
  const { email } = person();
  await addMember(app, company.id, 'member', email);
  const [here, there] = [visit(app), visit(app)];
  await signInWith(app, company.ssoId, here);
  await signInWith(app, company.ssoId, there);
  const notices = () => listMailbox(`${app.dataDir}/mailbox`, { to: email });
  await eventually(notices, (found) => found.length === 1);
  expect((await here.post('/sessions/revoke-others')).body).toEqual({ ended: 1 });
  await signInWith(app, company.ssoId, here); // still known
  await signInWith(app, company.ssoId, there);
  await eventually(notices, (found) => found.length === 2);

  expect((await company.owner.post('/sso/unlink', { email })).status).toBe(200);
  await signInWith(app, company.ssoId, there);
  await eventually(notices, (found) => found.length === 3);
});

test('a company with only single sign-on leads to the page that the person wanted', async () => {
  const company = await createSsoCompany(app, provider);
  const { personId } = await addMember(app, company.id, 'member');
  await app.db.query({ name: '', text: 'update accounts set requires_sso = true where id = $1', values: [company.id] });
  const visitor = await signedIn(app, { personId });
  const { text } = await visitor.page('/documents/0193b3c0-0000-7000-8000-000000000000');
  expect(text).toContain(`data-sso="${company.ssoId}"`);
  expect(text).toContain('data-next="/documents/0193b3c0-0000-7000-8000-000000000000"');
});
