import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, removeAccount } from '../../src/accounts/manage-accounts.ts';
import { measureStorage, measureStorageWhenDue } from '../../src/operators/measure-storage.ts';
import { addMember, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { attachPdf } from '../support/attach.ts';
import { createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { createOperator, operatorSignedIn, type TestOperator } from './operator-company.ts';

/** What operators see of companies, and what they change. */
let app: TestService;
let ops: TestOperator;
let operator: Visitor;

beforeAll(async () => {
  app = await startTestService();
  ops = await createOperator(app);
  operator = await operatorSignedIn(app, ops);
});
afterAll(() => app.stop());

interface Shown {
  id: string;
  display_name: string;
  tier: string;
}

const list = async (query: string): Promise<Shown[]> => (await operator.get(`/operator/companies?${query}`)).body.data;
const show = async (id: string) => (await operator.get(`/operator/companies/${id}`)).body;
/** What the audit log of a company says, the oldest first. No entry names a person. */
async function audited(accountId: string, action: string): Promise<Record<string, unknown>[]> {
  const rows = await app.db.query<{ detail: Record<string, unknown> }>({
    name: '',
    text: `select detail from account_audit_entries
           where account_id = $1 and action = $2 and person_id is null order by at, id`,
    values: [accountId, action],
  });
  return rows.map(({ detail }) => detail);
}

const make = (displayName: string) => createAccount(app.world, app.db, { displayName, tier: 'pro' });

test('companies are listed page by page, the newest first, and found by a part of the name, the id and the plan', async () => {
  const made: string[] = [];
  for (const name of ['Alder 100%', 'alder_two', 'Ålder ÅB', 'Birch']) made.push((await make(name)).id);
  await app.db.transaction((tx) => removeAccount(app.world, tx, made[3] as string));
  expect((await list('limit=4')).map(({ id }) => id)).toEqual(made.toReversed());
  const first = (await operator.get('/operator/companies?limit=3')).body;
  const second = (await operator.get(`/operator/companies?limit=100&starting_after=${first.next_cursor}`)).body;
  expect(second.data[0].id).toBe(made[0]);
  const names = async (query: string) => (await list(query)).map(({ display_name }) => display_name);
  expect(await names('search=ALDER')).toEqual(['alder_two', 'Alder 100%']);
  expect(await names('search=%C3%A5lder')).toEqual(['Ålder ÅB']);
  expect(await names('search=0%25')).toEqual(['Alder 100%']);
  expect(await names('search=r_t')).toEqual(['alder_two']);
  expect(await names(`search=${made[1]}`)).toEqual(['alder_two']);
  expect(await names('search=nothing-like-it')).toEqual([]);
  expect((await list('plan=enterprise&limit=100')).every(({ tier }) => tier === 'enterprise')).toBe(true);
  expect(await names('plan=free')).toEqual([]);
  for (const query of ['plan=x', 'search=%00', `search=${'x'.repeat(201)}`, 'limit=0', 'starting_after=x']) {
    expect((await operator.get(`/operator/companies?${query}`)).status, query).toBe(400);
  }
  expect((await show(made[3] as string)).removed_at).not.toBeNull();
});

test('a company shows how many members and documents of this month it has, and the usage of its plan', async () => {
  const company = await createCompany(app, 'team');
  for (const role of ['owner', 'member'] as const) await addMember(app, company.id, role);
  for (let made = 0; made < 3; made++) await createDraft(app, company.key);
  const shown = await show(company.id);
  expect(shown).toMatchObject({ tier: 'team', members: 2, documents_this_month: 3, credits: 1000 });
  expect(shown.usage.plan.requests_per_day).toBe(100_000);
  expect(shown.usage.used.requests_today).toBeGreaterThan(0);
});

test('storage is what the documents of a company have, and is measured again after an hour', async () => {
  const company = await createCompany(app);
  const draft = await createDraft(app, company.key);
  await attachPdf(app, company, draft);
  expect((await show(company.id)).stored_bytes).toBeNull();
  await measureStorage(app.world, app.db);
  const [stored] = await app.db.query<{ bytes: number }>({
    name: '',
    text: 'select s.bytes from document_files f join stored_files s using (sha256) where document_id = $1',
    values: [draft],
  });
  expect(await show(company.id)).toMatchObject({ stored_bytes: stored?.bytes, stored_files: 1 });

  const other = await createCompany(app);
  for (let made = 0; made < 2; made++) await attachPdf(app, other, await createDraft(app, other.key));
  const stopping = new AbortController().signal;
  await measureStorageWhenDue(app.world, app.db, stopping);
  expect((await show(other.id)).stored_bytes).toBeNull();
  app.clock.advance({ minutes: 61 });
  operator = await operatorSignedIn(app, ops);
  await measureStorageWhenDue(app.world, app.db, stopping);
  // They share one file: it counts for both documents, and once in all.
  expect((await show(other.id)).stored_files).toBe(2);
  await attachPdf(app, other, await createDraft(app, other.key));
  app.clock.advance({ minutes: -61 });
  await measureStorageWhenDue(app.world, app.db, stopping);
  expect((await show(other.id)).stored_files).toBe(3);
  const { totals, store, disk, database_bytes } = (await operator.get('/operator/storage')).body;
  expect(totals).toMatchObject({ files: 1, bytes: stored?.bytes });
  expect([store, disk.free_bytes > 0, database_bytes > 0]).toEqual(['directory', true, true]);
  const first = (await operator.get('/operator/storage/companies?limit=1')).body;
  expect(first.data.map(({ id }: Shown) => id)).toEqual([other.id]);
  const next = (await operator.get(`/operator/storage/companies?starting_after=${first.next_cursor}`)).body;
  expect(next.data.map(({ id }: Shown) => id)).toEqual([company.id]);
});

test('a new plan is in force, is in the audit log of the company without the address, and in the operators’ log with it', async () => {
  const company = await createCompany(app, 'pro');
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const set = (tier: unknown) => operator.post(`/operator/companies/${company.id}/plan`, { tier });
  expect((await set('team')).body).toEqual({ id: company.id, tier: 'team' });
  expect((await set('team')).status).toBe(200);
  for (const tier of ['gold', '', null, 1, '__proto__']) expect((await set(tier)).status, String(tier)).toBe(400);
  expect((await owner.get('/usage')).body.tier).toBe('team');
  const { text, body } = await owner.get('/audit-log?action=plan_changed');
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({ by: { kind: 'operator', email: null } });
  expect(await audited(company.id, 'plan_changed')).toEqual([{ from: 'pro', to: 'team' }]);
  expect(text).not.toContain(ops.email);
  const [entry] = (await operator.get('/operator/log')).body.data;
  expect(entry).toMatchObject({
    action: 'plan_changed',
    email: ops.email,
    is_command_line: false,
    account_id: company.id,
    detail: { from: 'pro', to: 'team' },
  });
});

test('credits are added once, however often and how fast the same request comes', async () => {
  const company = await createCompany(app, 'free');
  const add = (amount: unknown, request_id: unknown = app.world.newId()) =>
    operator.post(`/operator/companies/${company.id}/credits`, { amount, request_id });
  const id = app.world.newId();
  const answers = await Promise.all([add(50, id), add(50, id), add(50, id)]);
  expect(answers.map(({ status, body }) => [status, body.balance])).toEqual([
    [200, 50],
    [200, 50],
    [200, 50],
  ]);
  expect((await add(7)).body.balance).toBe(57);
  for (const amount of [0, -1, 1.5, '5', 1e9 + 1, null]) expect((await add(amount)).status, String(amount)).toBe(400);
  for (const request of ['x', null, 1]) expect((await add(1, request)).status, String(request)).toBe(400);
  await app.db.query({
    name: '',
    text: 'update accounts set credits = $2 where id = $1',
    values: [company.id, Number.MAX_SAFE_INTEGER],
  });
  expect(refusal(await add(1))).toEqual([400, 'invalid_input']);
  expect(await audited(company.id, 'credits_added')).toEqual([{ amount: 50 }, { amount: 7 }]);
});

test('concurrent changes of a plan leave a log without a gap', async () => {
  const company = await createCompany(app, 'free');
  const tiers = ['starter', 'pro', 'team', 'enterprise'];
  await Promise.all(tiers.map((tier) => operator.post(`/operator/companies/${company.id}/plan`, { tier })));
  const steps = await audited(company.id, 'plan_changed');
  expect(steps).toHaveLength(4);
  for (const [index, { from }] of steps.entries()) expect(from).toBe(index === 0 ? 'free' : steps[index - 1]?.to);
});

test('a removed company is shown and can’t be changed', async () => {
  const company = await createCompany(app);
  await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  expect((await show(company.id)).removed_at).not.toBeNull();
  const plan = await operator.post(`/operator/companies/${company.id}/plan`, { tier: 'pro' });
  expect(refusal(plan)).toEqual([404, 'not_found']);
  const credits = { amount: 1, request_id: app.world.newId() };
  expect(refusal(await operator.post(`/operator/companies/${company.id}/credits`, credits))).toEqual([
    404,
    'not_found',
  ]);
});

test('the operators’ log can’t be changed', async () => {
  const change = (text: string) => app.db.query({ name: '', text, values: [] });
  for (const text of ['delete from operator_log', `update operator_log set detail = '{}'`, 'truncate operator_log']) {
    await expect(change(text), text).rejects.toThrow('append-only');
  }
});

test('the service tells its version, its migrations and what its settings lack', async () => {
  const { body } = await operator.get('/operator/service');
  expect(body.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(body.database.migrations).toBeGreaterThan(50);
  expect(body.database.connections).toBeGreaterThan(0);
  expect(body.warnings).toEqual(expect.arrayContaining(['mail_is_local', 'no_public_url', 'self_signed']));
  const plans = (await operator.get('/operator/plans')).body;
  expect([plans.plans.team.self_serve, plans.has_plans_file]).toEqual([true, false]);
});
