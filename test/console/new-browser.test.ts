import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { listMailbox, type MailboxMessage } from '../../src/platform/mailbox.ts';
import { createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { addMember, type Member, password, signedIn, type Visitor, visit } from './visitor.ts';

let app: TestService;
let company: { id: string };

beforeAll(async () => {
  app = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
  company = await createCompany(app);
});
afterAll(() => app.stop());

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const from = { 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7' };

const signIn = (visitor: Visitor, { email }: Member, headers: Record<string, string> = from) =>
  visitor.post('/sign-in', { email, password }, headers);

const noticesTo = async ({ email }: Member): Promise<MailboxMessage[]> =>
  (await listMailbox(`${app.dataDir}/mailbox`, { to: email })).filter(({ text }) => text.includes('/account'));

const waitForNotices = (member: Member, count: number) =>
  eventually(
    () => noticesTo(member),
    (found) => found.length === count,
  );

test('a sign-in with a new browser is announced by e-mail, the very first and a known browser are not', async () => {
  const member = await addMember(app, company.id, 'member');
  const [first, second] = [visit(app), visit(app)];
  for (const visitor of [first, first, second, first, second]) expect((await signIn(visitor, member)).status).toBe(200);
  const [notice] = await waitForNotices(member, 1);
  expect(notice?.subject).toBe('New sign-in to Countersign');
  expect(notice?.text).toContain('Firefox, Windows, IP 203.0.113.7, March 10, 2026');
  expect(notice?.links).toEqual([expect.stringMatching(/\/account$/)]);

  expect((await signIn(visit(app), member, { ...from, 'accept-language': 'es' })).status).toBe(200);
  const [spanish] = await waitForNotices(member, 2);
  expect(spanish?.subject).toBe('Nuevo inicio de sesión en Countersign');
});

test('links and passwords are announced alike; what a browser says of itself does not reach the message', async () => {
  const member = await addMember(app, company.id, 'member');
  await signIn(visit(app), member);
  const token = await mintSignInLink(app.world, app.db, member.personId, 'operator');
  const hostile = { 'user-agent': 'Call +1 555 0100 now: https://evil.example/' };
  await visit(app).post('/sign-in/use-link', { token }, hostile);
  const [notice] = await waitForNotices(member, 1);
  expect(notice?.text).toContain('unknown browser');
  expect(notice?.text).not.toContain('evil');
});

test('a browser that is signed out from elsewhere counts as new, and so does one with a made-up cookie', async () => {
  const member = await addMember(app, company.id, 'member');
  const [here, there] = [visit(app), visit(app)];
  await signIn(here, member);
  await signIn(there, member);
  await waitForNotices(member, 1);
  expect((await here.post('/sessions/revoke-others')).body).toEqual({ ended: 1 });
  await signIn(here, member);
  await signIn(there, member);
  await waitForNotices(member, 2);

  const forged = visit(app);
  forged.cookies.set('countersign_browser', 'A'.repeat(43));
  await signIn(forged, member);
  await waitForNotices(member, 3);
  expect(forged.cookies.get('countersign_browser')).not.toBe('A'.repeat(43));
});

test('two people may share a browser, which is known to both', async () => {
  const [ada, bob] = [await addMember(app, company.id, 'member'), await addMember(app, company.id, 'member')];
  await signIn(visit(app), bob);
  const shared = visit(app);
  for (const member of [ada, bob, ada, bob]) await signIn(shared, member);
  await waitForNotices(bob, 1);
  expect(await noticesTo(ada)).toEqual([]);
});

test('somebody who is no member is not written to: there is nothing here but what they sign', async () => {
  const member = await addMember(app, company.id, 'member');
  await signIn(visit(app), member);
  await app.db.query({ name: 'drop_member', text: 'delete from members where id = $1', values: [member.id] });
  await signedIn(app, member);
  const later = await addMember(app, company.id, 'member');
  await signIn(visit(app), later);
  await signIn(visit(app), later);
  await waitForNotices(later, 1);
  expect(await noticesTo(member)).toEqual([]);
});

test('a mail server that is out of reach does not keep anyone from signing in', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@example.com' };
  const mute = await startTestService({ env, databaseUrl: app.databaseUrl, clock: app.clock });
  try {
    const member = await addMember(app, company.id, 'member');
    for (let times = 0; times < 2; times++) expect((await signIn(visit(mute), member)).status).toBe(200);
  } finally {
    await mute.stop();
  }
});
