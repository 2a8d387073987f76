import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMembers, removeMember } from '../../src/accounts/members.ts';
import { codeAt } from '../../src/identity/totp.ts';
import { placeOn } from '../cli/countersign.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, mailedLink, signedIn, tokenOf, type Visitor, visit } from './visitor.ts';

let app: TestService;
let first: Company;
let second: Company;
let emails = 0;

beforeAll(async () => {
  app = await startTestService();
  first = await createCompany(app);
  second = await createCompany(app);
});
afterAll(() => app.stop());

const commandLine = () => placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
const nextEmail = () => `mary-${++emails}@example.com`;
const accountOf = async (visitor: Visitor) => (await visitor.get('/me')).body.account.id;
const tokenIn = ({ sign_in_url }: { sign_in_url: string }) => tokenOf(new URL(sign_in_url));

async function addTo(company: Company, email: string) {
  const options = ['--account', company.id, '--email', email, '--role', 'member'];
  return commandLine().json<{ id: string; sign_in_url: string }>('user', 'create', ...options);
}

test('a link of the command line opens the company that it was made for', async () => {
  const email = nextEmail();
  await addMember(app, first.id, 'owner', email);
  const made = await addTo(second, email);
  const again = await commandLine().json<{ sign_in_url: string }>('user', 'sign-in-link', made.id);
  for (const link of [made, again]) {
    const visitor = visit(app);
    expect((await visitor.useLink(tokenIn(link))).body.next).toBe('signed_in');
    expect(await accountOf(visitor)).toBe(second.id);
  }
});

test('an invitation opens the company that invites', async () => {
  const email = nextEmail();
  await addMember(app, first.id, 'owner', email);
  const owner = await signedIn(app, await addMember(app, second.id, 'owner'));
  expect((await owner.post('/members', { email, role: 'member' })).body.invitation).toBe('sent');
  const visitor = visit(app);
  await visitor.useLink(tokenOf(await mailedLink(app, email)));
  expect(await accountOf(visitor)).toBe(second.id);
});

test('a second factor between the link and the console does not change the company', async () => {
  const email = nextEmail();
  const enrolled = await signedIn(app, await addMember(app, first.id, 'owner', email));
  const { secret } = (await enrolled.post('/totp')).body;
  await enrolled.post('/totp/confirm', { code: codeAt(secret, app.clock.now()) });
  const link = await addTo(second, email);
  app.clock.advance({ seconds: 60 });
  const visitor = visit(app);
  expect((await visitor.useLink(tokenIn(link))).body.next).toBe('second_factor');
  const code = codeAt(secret, app.clock.now());
  expect((await visitor.post('/sign-in/second-factor', { code })).body.next).toBe('signed_in');
  expect(await accountOf(visitor)).toBe(second.id);
});

test('a link to a company that the person has left opens their first one', async () => {
  const email = nextEmail();
  await addMember(app, first.id, 'owner', email);
  const link = await addTo(second, email);
  const member = (await listMembers(app.db, second.id)).find((listed) => listed.email === email);
  await app.db.transaction((tx) => removeMember(app.world, tx, member?.id ?? '', null));
  const visitor = visit(app);
  await visitor.useLink(tokenIn(link));
  expect(await accountOf(visitor)).toBe(first.id);
});
