import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, mailedLink, refusal, signedIn, tokenOf, visit } from './visitor.ts';

let app: TestService;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());

const auditOf = (accountId: string) =>
  app.db.query<{ action: string; detail: object; person_id: string }>({
    name: 'audit_of_account',
    text: `select action, detail, person_id from account_audit_entries where account_id = $1 and person_id is not null order by id`,
    values: [accountId],
  });

test('who is invited gets a link, is in with it, and the company knows who invited whom', async () => {
  const company = await createCompany(app);
  const owner = await addMember(app, company.id, 'owner');
  const visitor = await signedIn(app, owner);
  const invited = await visitor.post('/members', { email: 'new@example.com', role: 'admin' });
  expect(invited.body).toMatchObject({ email: 'new@example.com', role: 'admin', invitation: 'sent' });
  const newcomer = visit(app);
  expect((await newcomer.useLink(tokenOf(await mailedLink(app, 'new@example.com')))).body.next).toBe('signed_in');
  expect((await newcomer.get('/me')).body).toMatchObject({ role: 'admin', account: { id: company.id } });
  expect(refusal(await visitor.post('/members', { email: 'NEW@example.com', role: 'member' }))).toEqual([
    409,
    'member_exists',
  ]);
  expect(refusal(await visitor.post('/members', { email: 'no address', role: 'member' }))).toEqual([
    400,
    'invalid_input',
  ]);
  expect(refusal(await visitor.post('/members', { email: 'x@example.com', role: 'root' }))).toEqual([
    400,
    'invalid_input',
  ]);
  const entries = (await auditOf(company.id)).filter(({ action }) => action === 'member_invited');
  expect(entries).toEqual([
    {
      action: 'member_invited',
      person_id: owner.personId,
      detail: { member_id: invited.body.id, email: 'new@example.com', role: 'admin' },
    },
  ]);
});

test('an admin changes members and admins, never owners, and makes none', async () => {
  const company = await createCompany(app);
  const owner = await addMember(app, company.id, 'owner');
  const member = await addMember(app, company.id, 'member');
  const visitor = await signedIn(app, await addMember(app, company.id, 'admin'));
  const forbidden = [403, 'forbidden'];
  expect((await visitor.post(`/members/${member.id}/role`, { role: 'admin' })).body.role).toBe('admin');
  // The same role again is no change.
  expect((await visitor.post(`/members/${member.id}/role`, { role: 'admin' })).body.role).toBe('admin');
  const changes = (await auditOf(company.id)).filter(({ action }) => action === 'member_role_changed');
  expect(changes.map(({ detail }) => detail)).toEqual([expect.objectContaining({ from: 'member', to: 'admin' })]);
  expect(refusal(await visitor.post(`/members/${member.id}/role`, { role: 'owner' }))).toEqual(forbidden);
  expect(refusal(await visitor.post(`/members/${owner.id}/role`, { role: 'member' }))).toEqual(forbidden);
  expect(refusal(await visitor.call('DELETE', `/members/${owner.id}`))).toEqual(forbidden);
  expect(refusal(await visitor.post(`/members/${owner.id}/invitation`))).toEqual(forbidden);
  expect(refusal(await visitor.post('/members', { email: 'o@example.com', role: 'owner' }))).toEqual(forbidden);
  expect((await visitor.call('DELETE', `/members/${member.id}`)).status).toBe(200);
  expect(refusal(await visitor.call('DELETE', `/members/${member.id}`))).toEqual([404, 'not_found']);
  expect(refusal(await visitor.call('DELETE', '/members/nonsense'))).toEqual([404, 'not_found']);
});

test('an owner is always left, even when two leave at once', async () => {
  const company = await createCompany(app);
  const [one, two] = [await addMember(app, company.id, 'owner'), await addMember(app, company.id, 'owner')];
  const visitors = [await signedIn(app, one), await signedIn(app, two)] as const;
  const statuses = await Promise.all([
    visitors[0].call('DELETE', `/members/${one.id}`),
    visitors[1].post(`/members/${two.id}/role`, { role: 'member' }),
  ]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(statuses.map(({ body }) => body.error?.code)).toContain('last_owner');
});

test('who is removed, or whose role changes, feels it on the next request', async () => {
  const company = await createCompany(app);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const member = await addMember(app, company.id, 'admin');
  const visitor = await signedIn(app, member);
  expect((await visitor.post('/members', { email: 'a@example.com', role: 'member' })).status).toBe(200);
  await owner.post(`/members/${member.id}/role`, { role: 'member' });
  expect(refusal(await visitor.post('/members', { email: 'b@example.com', role: 'member' }))).toEqual([
    403,
    'forbidden',
  ]);
  await owner.call('DELETE', `/members/${member.id}`);
  expect(refusal(await visitor.get('/members'))).toEqual([403, 'forbidden']);
  expect((await visitor.get('/me')).body).toMatchObject({ account: null, role: null });
  expect((await visitor.page('/')).text).toContain('You aren’t a member of a company here');
});

test('a company that was removed has no members who may do anything', async () => {
  const company = await createCompany(app);
  const visitor = await signedIn(app, await addMember(app, company.id, 'owner'));
  await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  expect(refusal(await visitor.get('/members'))).toEqual([403, 'forbidden']);
});

test('members are listed page by page', async () => {
  const company = await createCompany(app);
  const added = [await addMember(app, company.id, 'owner')];
  for (let at = 0; at < 4; at++) added.push(await addMember(app, company.id, 'member'));
  const visitor = await signedIn(app, added[0] as (typeof added)[number]);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await visitor.get(`/members?limit=2${cursor === '' ? '' : `&starting_after=${cursor}`}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  expect(seen).toEqual(added.map(({ id }) => id));
  expect(refusal(await visitor.get('/members?limit=0'))).toEqual([400, 'invalid_input']);
  expect(refusal(await visitor.get('/members?starting_after=made-up'))).toEqual([400, 'invalid_input']);
  expect(refusal(await visitor.get('/members?ending_before=made-up'))).toEqual([400, 'invalid_input']);
});
