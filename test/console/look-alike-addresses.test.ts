import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { openLinkOf, signature } from '../signing/signer.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { addMember, mailedLink, password, refusal, signedIn, tokenOf, visit } from './visitor.ts';

/** Addresses that look like another one, and that Unicode case folding confuses with it. */
const pairs = [
  ['mark.kelvin@example.com', 'mar\u212a.\u212aelvin@example.com'],
  ['izel.irmak@example.com', '\u0130zel.\u0130rmak@example.com'],
  ['ida@dotted-i.example', 'ida@dotted-\u0130.example'],
] as const;

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

test.each(pairs)('an invitation to a look-alike of %s goes to another person', async (email, lookAlike) => {
  const own = await addMember(app, company.id, 'owner', email);
  const other = await createCompany(app);
  const attacker = await signedIn(app, await addMember(app, other.id, 'owner'));
  expect((await attacker.post('/members', { email: lookAlike, role: 'member' })).body.invitation).toBe('sent');
  expect(await listMailbox(`${app.dataDir}/mailbox`, { to: email })).toEqual([]);

  const invited = visit(app);
  await invited.useLink(tokenOf(await mailedLink(app, lookAlike)));
  const { person, accounts } = (await invited.get('/me')).body;
  expect(person.email).toBe(lookAlike);
  expect(person.id).not.toBe(own.personId);
  expect(accounts.map(({ id }: { id: string }) => id)).toEqual([other.id]);

  expect((await visit(app).post('/sign-in', { email, password })).status).toBe(200);
  expect(refusal(await visit(app).post('/sign-in', { email: lookAlike, password }))).toEqual([
    401,
    'wrong_credentials',
  ]);
});

test('ten tries at a password are ten, however the address is spelt', async () => {
  const { email } = await addMember(app, company.id, 'member', 'kim.kirk@b\u00fccher.example');
  const spellings = [
    email,
    'KIM.KIRK@B\u00dcCHER.EXAMPLE',
    'kim.kirk@xn--bcher-kva.example',
    ' Kim.Kirk@bu\u0308cher.example ',
  ];
  for (let tried = 0; tried < 10; tried++) {
    const guess = { email: spellings[tried % spellings.length], password: 'a guess' };
    expect(refusal(await visit(app).post('/sign-in', guess))).toEqual([401, 'wrong_credentials']);
  }
  for (const spelling of spellings) {
    expect(refusal(await visit(app).post('/sign-in', { email: spelling, password }))[0]).toBe(429);
  }
  const lookAlike = { email: '\u212aim.\u212air\u212a@b\u00fccher.example', password };
  expect(refusal(await visit(app).post('/sign-in', lookAlike))).toEqual([401, 'wrong_credentials']);
});

test('one address in several spellings is one member, and a look-alike is another', async () => {
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const invite = async (email: string) => refusal(await owner.post('/members', { email, role: 'member' }));
  expect(await invite('zo\u00eb@example.com')).toEqual([200, undefined]);
  for (const again of ['zoe\u0308@EXAMPLE.com', 'ZO\u00eb@example.com'])
    expect(await invite(again)).toEqual([409, 'member_exists']);
  expect(await invite('kate@example.com')).toEqual([200, undefined]);
  expect(await invite('\u212aate@example.com')).toEqual([200, undefined]);
});

test('a look-alike does not sign as the recipient, and the recipient does in any spelling', async () => {
  const send = async (email: string) => {
    const recipient = { name: 'Ada', email, auth_level: 'l0_account_session' };
    const id = await createSent(app, company.key, { recipients: [recipient] });
    return openLinkOf(app, company, id, 'Ada');
  };
  const lookAlike = await signedIn(app, await addMember(app, company.id, 'member', '\u212aeira@example.com'));
  const real = await signedIn(app, await addMember(app, company.id, 'member', 'Keira@example.com'));
  const signer = await send('keira@example.com');
  for (const [name, value] of lookAlike.cookies) signer.cookies.set(name, value);
  expect((await signer.post('sign', signature)).status).toBe(403);
  for (const [name, value] of real.cookies) signer.cookies.set(name, value);
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
});

test('an address that takes the most room in its canonical form can be invited', async () => {
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const notes = Array.from({ length: 240 }, (_, at) => String.fromCodePoint(0x1d15e + ((at * at * 7 + at * 3) % 7)));
  const email = `${notes.join('')}@example.com`;
  expect((await owner.post('/members', { email, role: 'member' })).status).toBe(200);
});
