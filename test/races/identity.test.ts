import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { addMember, type Member, password, signedIn, type Visitor, visit } from '../console/visitor.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { holdRow, interleave, type Settled } from './interleave.ts';

/** Concurrent use and change of codes, links and factors. Both requests read before either has the lock. */
let app: TestService;
let company: Company;
let owner: Member;
let visitor: Visitor;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());

beforeEach(async () => {
  app.clock.advance({ minutes: 5 });
  company = await createCompany(app);
  owner = await addMember(app, company.id, 'owner');
  visitor = await signedIn(app, owner);
});

const newPassword = 'seven purple kettles';
const changePassword = (to = newPassword, from = visitor) =>
  from.post('/password', { current: password, password: to });
const signIn = (with_: Visitor) => with_.post('/sign-in', { email: owner.email, password });
const holdPerson = () => holdRow('people', 'id', owner.personId);

function statuses<A extends { status: number }>(both: Array<Settled<A>>): number[] {
  return both.map((settled) => (settled.ok ? settled.value.status : 0));
}

test('a password that is replaced while one signs in with it opens nothing', async () => {
  const other = visit(app);
  const both = await interleave(
    app,
    holdPerson(),
    () => changePassword(),
    () => signIn(other),
  );
  const [changed, refused] = statuses(both) as [number, number];
  expect(changed).toBeLessThan(300);
  expect(refused).toBeGreaterThanOrEqual(400);
  expect((await other.get('/me')).status).toBe(401);
});

test('signed in before the password is replaced: that session ends with it', async () => {
  const other = visit(app);
  const both = await interleave(
    app,
    holdPerson(),
    () => signIn(other),
    () => changePassword(),
  );
  for (const status of statuses(both)) expect(status).toBeLessThan(300);
  expect((await other.get('/me')).status).toBe(401);
  expect((await visitor.get('/me')).status).toBe(200);
});

test('of two changes of a password at once one succeeds', async () => {
  const elsewhere = await signedIn(app, owner);
  const both = await interleave(
    app,
    holdPerson(),
    () => changePassword(),
    () => changePassword('nine silver anvils', elsewhere),
  );
  const [first, second] = statuses(both) as [number, number];
  expect([first < 300, second < 300]).toEqual([true, false]);
});

test('a one-time link that is used twice at once signs in once', async () => {
  const token = await mintSignInLink(app.world, app.db, owner.personId, 'operator');
  const both = await interleave(
    app,
    holdRow('sign_in_links', 'person_id', owner.personId),
    () => visit(app).useLink(token),
    () => visit(app).useLink(token),
  );
  expect(statuses(both).filter((status) => status < 300)).toHaveLength(1);
});

test('two owners who remove each other at once leave one', async () => {
  const second = await addMember(app, company.id, 'owner');
  const hers = await signedIn(app, second);
  const both = await interleave(
    app,
    holdRow('accounts', 'id', company.id),
    () => visitor.call('DELETE', `/members/${second.id}`),
    () => hers.call('DELETE', `/members/${owner.id}`),
  );
  expect(statuses(both).filter((status) => status < 300)).toHaveLength(1);
});
