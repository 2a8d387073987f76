import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { hashToken } from '../../src/identity/token.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, mailedLink, password, refusal, signedIn, tokenOf, visit } from './visitor.ts';

let app: TestService;
let company: { id: string };

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const wrong = [401, 'wrong_credentials'];
const session = 'countersign_session';

test('e-mail and password sign in, however the address is spelt', async () => {
  const { email } = await addMember(app, company.id, 'admin', 'Ada.Admin@Example.com');
  const visitor = visit(app);
  expect((await visitor.get('/session')).body).toEqual({ signed_in: false });
  const answer = await visitor.post('/sign-in', { email: 'ada.admin@EXAMPLE.com', password });
  expect([answer.status, answer.body]).toEqual([200, { next: 'signed_in' }]);
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith(session));
  expect(cookie).toMatch(/^countersign_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  const me = (await visitor.get('/me')).body;
  expect(me).toMatchObject({ person: { email }, account: { id: company.id }, role: 'admin', has_password: true });
  expect(me.accounts).toEqual([{ id: company.id, display_name: 'Acme Builders', role: 'admin' }]);
  expect((await visitor.page('/')).text).toContain('<div id="console">');
});

test('an unknown address, one without a password and a wrong password are the same answer', async () => {
  const { email } = await addMember(app, company.id, 'member');
  const withoutPassword = await addMember(app, company.id, 'member');
  await app.db.query({
    name: 'drop_password',
    text: 'update people set password_hash = null where id = $1',
    values: [withoutPassword.personId],
  });
  const answers = await Promise.all(
    [email, withoutPassword.email, 'nobody@example.com'].map((address) =>
      visit(app).post('/sign-in', { email: address, password: 'not the one' }),
    ),
  );
  expect(answers.map(refusal)).toEqual([wrong, wrong, wrong]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
});

test('after ten wrong passwords an address has to wait, whether or not anybody has it; the link still works', async () => {
  const { email, personId } = await addMember(app, company.id, 'member');
  for (const address of [email, 'no-such-person@example.com']) {
    const guess = () => visit(app).post('/sign-in', { email: address, password: 'a guess' });
    for (let tried = 1; tried <= 10; tried++) expect(refusal(await guess())).toEqual(wrong);
    const refused = await guess();
    expect(refusal(refused)).toEqual([429, 'too_many_tries']);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
  }
  expect(refusal(await visit(app).post('/sign-in', { email: email.toUpperCase(), password }))[0]).toBe(429);
  expect((await (await signedIn(app, { personId })).get('/me')).status).toBe(200);
  app.clock.advance({ minutes: 16 });
  expect((await visit(app).post('/sign-in', { email, password })).status).toBe(200);
});

test('guesses that come at once are all counted', async () => {
  const { email } = await addMember(app, company.id, 'member');
  const guess = () => visit(app).post('/sign-in', { email, password: 'a guess' });
  const codes = (await Promise.all(Array.from({ length: 15 }, guess))).map(({ status }) => status).sort();
  expect(codes).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
});

test('one address of the network guesses at sixty people, not at all of them', async () => {
  app.clock.advance({ minutes: 20 });
  const guess = (at: number) => visit(app).post('/sign-in', { email: `target-${at}@example.com`, password: 'a guess' });
  const statuses: number[] = [];
  for (let at = 0; at < 61; at++) statuses.push((await guess(at)).status);
  expect(statuses).toEqual([...Array(60).fill(401), 429]);
  app.clock.advance({ minutes: 20 });
  const { email } = await addMember(app, company.id, 'member');
  for (let times = 0; times < 65; times++) {
    expect((await visit(app).post('/sign-in', { email, password })).status).toBe(200);
  }
});

test('a one-time link arrives by e-mail and signs in once, within a quarter of an hour', async () => {
  const { email } = await addMember(app, company.id, 'member');
  const visitor = visit(app);
  const asked = await visitor.post('/sign-in/link', { email: email.toUpperCase() });
  expect([asked.status, asked.body]).toEqual([200, { sent: true }]);
  const link = await mailedLink(app, email);
  expect(link.pathname).toMatch(/^\/sign-in\/[\w-]{43}$/);

  // Mail gateways open every link.
  for (let fetched = 0; fetched < 3; fetched++) {
    const page = await visit(app).page(link.pathname);
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, []]);
    expect(page.text).toContain(email);
  }
  expect((await visitor.useLink(tokenOf(link))).body).toEqual({ next: 'signed_in' });
  expect((await visitor.get('/me')).body.person.email).toBe(email);
  expect(refusal(await visit(app).useLink(tokenOf(link)))).toEqual([410, 'link_spent']);
  expect((await visit(app).page(link.pathname)).status).toBe(410);
});

test('the link leads to the page that the person wanted, if it is allowed', async () => {
  const ask = async (next: string) => {
    const { email } = await addMember(app, company.id, 'member');
    await visit(app).post('/sign-in/link', { email, next });
    return mailedLink(app, email);
  };
  const wanted = '/documents/019cd79f-2890-7566-be83-7de63b073639';
  const link = await ask(wanted);
  expect(link.searchParams.get('to')).toBe(wanted);
  expect((await visit(app).page(link.pathname + link.search)).text).toContain(`data-next="${wanted}"`);
  for (const next of ['/', '//elsewhere.example']) expect((await ask(next)).search, next).toBe('');
});

test('where a person wanted to go is kept on the way', async () => {
  const { personId } = await addMember(app, company.id, 'member');
  const link = await mintSignInLink(app.world, app.db, personId, 'operator');
  const to = `?to=${encodeURIComponent('/settings/audit-log')}`;
  const page = async (path: string, visitor = visit(app)) => (await visitor.page(path)).text;
  const toDocument = 'Then you’ll see the document to sign.';
  expect(await page(`/sign-in/${link}${to}`)).not.toContain(toDocument);
  expect(await page(`/sign-in/${link}?to=${encodeURIComponent(`/sign/${'A'.repeat(43)}`)}`)).toContain(toDocument);
  for (const path of ['/sign-in/sent', `/sign-in/${'A'.repeat(43)}`]) {
    expect(await page(path + to)).toContain(`href="/${to}"`);
    expect(await page(path)).toMatch(/href="\/">(Sign in|Back)/);
  }
  await app.db.query({
    name: 'add_second_factor',
    text: "update people set totp_secret = '\\x00', totp_confirmed_at = $2 where id = $1",
    values: [personId, app.clock.now()],
  });
  const halfIn = visit(app);
  await halfIn.useLink(link);
  expect(await page(`/${to}`, halfIn)).toContain(`href="/${to}&amp;again"`);
});

test('of two who open a link at once, one is in', async () => {
  const { personId } = await addMember(app, company.id, 'member');
  const { mintSignInLink } = await import('../../src/identity/sign-in-link.ts');
  const token = await mintSignInLink(app.world, app.db, personId, 'email');
  const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await visit(app).useLink(token)).status));
  expect(statuses.sort()).toEqual([200, 410, 410, 410]);
});

test('a link that nobody opened runs out', async () => {
  const { email } = await addMember(app, company.id, 'member');
  await visit(app).post('/sign-in/link', { email });
  const link = await mailedLink(app, email);
  app.clock.advance({ minutes: 9 });
  expect((await visit(app).page(link.pathname)).status).toBe(200);
  app.clock.advance({ minutes: 1 });
  expect((await visit(app).page(link.pathname)).status).toBe(410);
  expect(refusal(await visit(app).useLink(tokenOf(link)))).toEqual([410, 'link_spent']);
});

test('strangers get the same answer and no message, and an address gets five an hour', async () => {
  const { email } = await addMember(app, company.id, 'member');
  const ask = (address: string) => visit(app).post('/sign-in/link', { email: address });
  const [known, unknown] = [await ask(email), await ask('stranger@example.com')];
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  for (let times = 2; times <= 5; times++) expect((await ask(email)).status).toBe(200);
  expect(refusal(await ask(email))).toEqual([429, 'too_many_tries']);
  await mailedLink(app, email);
  expect(await listMailbox(`${app.dataDir}/mailbox`, { to: 'stranger@example.com' })).toEqual([]);
  expect(refusal(await ask('no address'))).toEqual([400, 'invalid_input']);
});

test('after the clock was ahead, an address waits no longer than an hour', async () => {
  const { email } = await addMember(app, company.id, 'member');
  const ask = () => visit(app).post('/sign-in/link', { email });
  app.clock.advance({ days: 365 });
  for (let times = 1; times <= 5; times++) expect((await ask()).status).toBe(200);
  app.clock.advance({ days: -365 });
  const refused = await ask();
  expect(refusal(refused)).toEqual([429, 'too_many_tries']);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
  app.clock.advance({ minutes: 60 });
  expect((await ask()).status).toBe(200);
});

test('a session that somebody else put into a browser is worth nothing after signing in', async () => {
  const attacker = await signedIn(app, await addMember(app, company.id, 'member'));
  const planted = attacker.cookies.get(session) as string;
  const victim = visit(app);
  victim.cookies.set(session, planted);
  const { email } = await addMember(app, company.id, 'owner');
  await victim.post('/sign-in', { email, password });
  expect(victim.cookies.get(session)).not.toBe(planted);
  expect((await victim.get('/me')).body.person.email).toBe(email);
  expect(refusal(await attacker.get('/me'))).toEqual([401, 'not_signed_in']);

  const made = visit(app);
  made.cookies.set(session, 'A'.repeat(43));
  await made.post('/sign-in', { email, password });
  expect(made.cookies.get(session)).not.toBe('A'.repeat(43));
});

test('the database holds no token, link or password as it is', async () => {
  const member = await addMember(app, company.id, 'member');
  const visitor = await signedIn(app, member);
  const token = visitor.cookies.get(session) as string;
  const rows = await app.db.query<{ text: string }>({
    name: 'everything_of_signing_in',
    text: `select s::text as text from sessions s union all select l::text from sign_in_links l
           union all select p::text from people p union all select a::text from account_audit_entries a`,
    values: [],
  });
  const everything = rows.map(({ text }) => text).join('\n');
  expect(everything).not.toContain(token);
  expect(everything).not.toContain(password);
  expect(everything).toContain(hashToken(token).toString('hex'));
});

test('a session ends after twelve hours without use, and after a week whatever is done in it', async () => {
  const member = await addMember(app, company.id, 'member');
  const idle = await signedIn(app, member);
  const busy = await signedIn(app, member);
  app.clock.advance({ hours: 11 });
  expect((await busy.get('/me')).status).toBe(200);
  // What an open page asks for by itself is no use.
  expect((await idle.call('GET', '/me', undefined, { 'countersign-active': 'false' })).status).toBe(200);
  expect((await idle.get('/live')).status).toBe(200);
  app.clock.advance({ hours: 2 });
  expect((await idle.get('/me')).status).toBe(401);
  expect((await busy.get('/me')).status).toBe(200);
  for (let days = 1; days < 13; days++) {
    app.clock.advance({ hours: 11 });
    await busy.get('/me');
  }
  expect((await busy.get('/me')).status).toBe(200);
  app.clock.advance({ hours: 24 });
  expect((await busy.get('/me')).status).toBe(401);
});

test('sessions are listed, revoked one by one, all others at once, and ended by signing out', async () => {
  const member = await addMember(app, company.id, 'member');
  const [here, there, elsewhere] = [
    await signedIn(app, member),
    await signedIn(app, member),
    await signedIn(app, member),
  ];
  const { data } = (await here.get('/sessions')).body;
  expect(data).toHaveLength(3);
  expect(data.filter(({ is_current }: { is_current: boolean }) => is_current)).toHaveLength(1);
  expect(data[0]).toMatchObject({ method: 'link', ip: '127.0.0.1', user_agent: 'Test/1.0' });

  const stranger = await signedIn(app, await addMember(app, company.id, 'owner'));
  const newest = data[0].id; // elsewhere's
  expect(refusal(await stranger.call('DELETE', `/sessions/${newest}`))).toEqual([404, 'not_found']);
  expect((await here.call('DELETE', `/sessions/${newest}`)).status).toBe(200);
  expect((await elsewhere.get('/me')).status).toBe(401);
  expect((await here.post('/sessions/revoke-others')).body).toEqual({ ended: 1 });
  expect((await there.get('/me')).status).toBe(401);

  const token = here.cookies.get(session) as string;
  const { headers } = await here.post('/sign-out');
  expect(headers.get('clear-site-data')).toBe('"cache", "storage"');
  expect(here.cookies.has(session)).toBe(false);
  here.cookies.set(session, token);
  expect((await here.get('/me')).status).toBe(401);
});

test('a new password asks for the current one, and ends what others could be in with', async () => {
  const member = await addMember(app, company.id, 'member');
  const [here, there] = [await signedIn(app, member), await signedIn(app, member)];
  await visit(app).post('/sign-in/link', { email: member.email });
  const link = await mailedLink(app, member.email);
  const change = (body: object) => here.post('/password', body);
  expect(refusal(await change({ password: 'another long one' }))).toEqual([403, 'wrong_password']);
  expect(refusal(await change({ current: 'not it', password: 'another long one' }))).toEqual([403, 'wrong_password']);
  expect(refusal(await change({ current: password, password: 'short' }))).toEqual([400, 'unsafe_password']);
  const weak = {
    [member.email]: 'personal_password',
    'Acme-Builders-1': 'personal_password',
    iloveyou: 'common_password',
  };
  for (const [fresh, code] of Object.entries(weak)) {
    expect(refusal(await change({ current: password, password: fresh }))).toEqual([400, code]);
  }
  expect((await change({ current: password, password: 'another long one' })).status).toBe(200);
  expect((await here.get('/me')).status).toBe(200);
  expect((await there.get('/me')).status).toBe(401);
  expect(refusal(await visit(app).useLink(tokenOf(link)))).toEqual([410, 'link_spent']);
  expect(refusal(await visit(app).post('/sign-in', { email: member.email, password }))).toEqual(wrong);
  expect((await visit(app).post('/sign-in', { email: member.email, password: 'another long one' })).status).toBe(200);
});

test('whoever has a weak password from before still signs in', async () => {
  const { email, personId } = await addMember(app, company.id, 'member');
  const { hashPassword } = await import('../../src/identity/password.ts');
  const { setPasswordHash } = await import('../../src/identity/people.ts');
  await setPasswordHash(app.db, personId, await hashPassword(app.world.random, 'iloveyou'));
  expect((await visit(app).post('/sign-in', { email, password: 'iloveyou' })).status).toBe(200);
});

test('a first password is set only by one who has signed in just now', async () => {
  const member = await addMember(app, company.id, 'member');
  await app.db.query({
    name: 'drop_password',
    text: 'update people set password_hash = null where id = $1',
    values: [member.personId],
  });
  const visitor = await signedIn(app, member);
  app.clock.advance({ minutes: 16 });
  expect(refusal(await visitor.post('/password', { password }))).toEqual([403, 'sign_in_again']);
  const again = await signedIn(app, member);
  expect((await again.post('/password', { password })).status).toBe(200);
});

test('a person of two companies chooses which to work in, and no third', async () => {
  const other = await createCompany(app);
  const third = await createCompany(app);
  const { email, personId } = await addMember(app, company.id, 'member');
  await addMember(app, other.id, 'owner', email);
  const visitor = await signedIn(app, { personId });
  expect((await visitor.get('/me')).body).toMatchObject({ account: { id: company.id }, role: 'member' });
  expect((await visitor.post('/account', { account_id: other.id })).body).toMatchObject({ role: 'owner' });
  expect((await visitor.get('/me')).body).toMatchObject({ account: { id: other.id }, role: 'owner' });
  expect(refusal(await visitor.post('/account', { account_id: third.id }))).toEqual([404, 'not_found']);
  expect(refusal(await visitor.post('/account', { account_id: 'nonsense' }))).toEqual([404, 'not_found']);
});
