import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeMember } from '../../src/accounts/members.ts';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { addOperator, removeOperator } from '../../src/operators/operators.ts';
import { addMember, refusal, signedIn, type Visitor, visit } from '../console/visitor.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { createOperator, enrol, operatorSignedIn, type TestOperator } from './operator-company.ts';

/** Who may open the operator's page, and what it shows of the companies. */
let app: TestService;
let company: Company;
let ops: TestOperator;
let operator: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  ops = await createOperator(app);
  operator = await operatorSignedIn(app, ops);
});
afterAll(() => app.stop());

const endpoints = consoleEndpoints.filter(({ access }) => access === 'operator');
const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';

function callAll(visitor: Visitor): Promise<[string, number, string | undefined][]> {
  return Promise.all(
    endpoints.map(async ({ method, path, route }) => {
      const answer = await visitor.call(method, path.replace(':id', company.id));
      return [route, ...refusal(answer)] as [string, number, string | undefined];
    }),
  );
}

test('every endpoint refuses sessions of single sign-on', () => {
  expect(endpoints.length).toBeGreaterThan(10);
  for (const { needsOwnSignIn, route } of endpoints) expect(needsOwnSignIn, route).toBe(true);
});

describe('only operators get an answer', () => {
  test('not someone who is signed out', async () => {
    for (const line of await callAll(visit(app))) expect(line).toEqual([line[0], 401, 'not_signed_in']);
  });

  test.each(['member', 'admin', 'owner'] as const)('not the %s of a company, with an authenticator', async (role) => {
    const visitor = await signedIn(app, await addMember(app, company.id, role));
    await enrol(app, visitor);
    for (const line of await callAll(visitor)) expect(line).toEqual([line[0], 403, 'forbidden']);
    expect((await visitor.get('/me')).body.is_operator).toBe(false);
  });

  test('an operator does', async () => {
    expect((await operator.get('/me')).body.is_operator).toBe(true);
    for (const { method, path } of endpoints.filter(({ method }) => method === 'GET')) {
      const { status, text } = await operator.call(method, path.replace(':id', company.id));
      expect(status, `${path}: ${text}`).toBe(200);
    }
  });
});

describe('an operator', () => {
  test('is a member of some company, with a factor', async () => {
    const add = (email: string) => app.db.transaction((tx) => addOperator(app.world, tx, email));
    await expect(add('nobody@example.com')).rejects.toThrow('is a member of a company');
    const member = await addMember(app, company.id, 'member');
    await expect(add(member.email)).rejects.toThrow('neither an authenticator nor a passkey');
    const visitor = await signedIn(app, member);
    await enrol(app, visitor);
    expect(refusal(await visitor.get('/operator/plans'))).toEqual([403, 'forbidden']);
    await add(member.email.toUpperCase());
    await add(member.email);
    expect((await visitor.get('/operator/plans')).status).toBe(200);
  });

  test('does not count with an authenticator that was set up later, until they are added again', async () => {
    const other = await createOperator(app);
    const visitor = await operatorSignedIn(app, other);
    expect((await visitor.get('/operator/plans')).status).toBe(200);
    await visitor.call('DELETE', '/totp');
    expect(refusal(await visitor.get('/operator/plans'))).toEqual([403, 'operator_factor_needed']);
    app.clock.advance({ seconds: 60 });
    await enrol(app, visitor);
    expect(refusal(await visitor.get('/operator/plans'))).toEqual([403, 'operator_factor_needed']);
    expect((await visitor.get('/me')).body.is_operator).toBe(true);
    await app.db.transaction((tx) => addOperator(app.world, tx, other.email));
    expect((await visitor.get('/operator/plans')).status).toBe(200);
  });

  test('counts with a passkey that they had, and not with one that was added later', async () => {
    const member = await addMember(app, company.id, 'member');
    const addPasskey = () =>
      app.db.query({
        name: '',
        text: `insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at)
               values ($1, $2, $1::uuid::text, '', 0, '{}', 'Key', $3)`,
        values: [app.world.newId(), member.personId, app.clock.now()],
      });
    await addPasskey();
    await app.db.transaction((tx) => addOperator(app.world, tx, member.email));
    const visitor = await signedIn(app, member);
    expect(refusal(await visitor.get('/operator/plans'))).toEqual([403, 'operator_factor_needed']);
    await app.db.query({
      name: '',
      text: `update sessions set method = 'passkey' where person_id = $1`,
      values: [member.personId],
    });
    expect((await visitor.get('/operator/plans')).status).toBe(200);
    app.clock.advance({ seconds: 1 });
    await addPasskey();
    expect(refusal(await visitor.get('/operator/plans'))).toEqual([403, 'operator_factor_needed']);
  });

  test('is none any more from the next request on after being removed', async () => {
    const other = await createOperator(app);
    const visitor = await operatorSignedIn(app, other);
    const remove = () => app.db.transaction((tx) => removeOperator(app.world, tx, other.email));
    expect((await remove())?.email).toBe(other.email);
    expect(refusal(await visitor.get('/operator/plans'))).toEqual([403, 'forbidden']);
    expect(await remove()).toBeNull();
  });

  test('is none without a company, or after being erased', async () => {
    const [left, erased] = [await createOperator(app), await createOperator(app)];
    const [visitor, other] = [await operatorSignedIn(app, left), await operatorSignedIn(app, erased)];
    await app.db.transaction((tx) => removeMember(app.world, tx, left.id, null));
    expect(refusal(await visitor.get('/operator/plans'))).toEqual([403, 'forbidden']);
    await app.db.transaction((tx) => erasePerson(app.world, tx, erased.personId));
    expect(refusal(await other.get('/operator/plans'))).toEqual([401, 'not_signed_in']);
    const { text } = await operator.get('/operator/log?limit=100');
    expect(text).not.toContain(erased.email);
    expect(text).toContain(ops.email);
  });

  test('confirms who they are before they change a company', async () => {
    const visitor = await operatorSignedIn(app, ops);
    app.clock.advance({ minutes: 16 });
    const answer = await visitor.post(`/operator/companies/${company.id}/plan`, { tier: 'team' });
    expect(refusal(answer)).toEqual([403, 'sign_in_again']);
  });
});

test('nothing of what documents say, and no recipient, is in any answer', async () => {
  await createSent(app, company.key, {
    title: 'Secret merger',
    recipients: [{ name: 'Zebediah Quill', email: 'zebediah@quill.example' }],
  });
  const visitor = await operatorSignedIn(app, ops);
  for (const { path } of endpoints.filter(({ method }) => method === 'GET')) {
    const { text } = await visitor.get(path.replace(':id', company.id));
    for (const word of ['merger', 'Zebediah', 'quill.example']) expect(text, path).not.toContain(word);
  }
});

test('the page is found by the signed in, and its address leads back after signing in', async () => {
  expect((await operator.page('/operator')).status).toBe(200);
  expect((await operator.page('/operator/queues')).status).toBe(200);
  const { status, headers } = await visit(app).page('/operator/queues');
  expect([status, headers.get('location')]).toEqual([302, '/?to=%2Foperator%2Fqueues']);
});

test('an unknown company is not found', async () => {
  const visitor = await operatorSignedIn(app, ops);
  for (const id of [unknownId, 'x', '%00', company.id.slice(1)]) {
    expect(refusal(await visitor.get(`/operator/companies/${id}`)), id).toEqual([404, 'not_found']);
    const plan = await visitor.post(`/operator/companies/${id}/plan`, { tier: 'team' });
    expect(refusal(plan), id).toEqual([404, 'not_found']);
  }
});
