import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addCredits } from '../../src/accounts/manage-accounts.ts';
import { defaultPlans } from '../../src/accounts/plans.ts';
import { payCredits } from '../../src/usage/credits.ts';
import { monthOf } from '../../src/usage/import-quota.ts';
import { addMember, signedIn, type Visitor } from '../console/visitor.ts';
import { openLinkOf, signature } from '../signing/signer.ts';
import {
  type Answer,
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { holdRow, interleave, type Settled } from './interleave.ts';

/** Two concurrent requests for the last unit of a limit: one gets it. */
let app: TestService;
let company: Company;
let owner: Visitor;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());

beforeEach(async () => {
  app.clock.advance({ minutes: 5 });
  company = await createCompany(app, 'team');
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
});

const holdAccount = () => holdRow('accounts', 'id', company.id);
const statusOf = (settled: Settled<Answer>) => (settled.ok ? settled.value.status : 0);

test('credits for one document pay for one of two', async () => {
  const [one, two] = [await createDraft(app, company.key), await createDraft(app, company.key)];
  await app.db.query({
    name: '',
    text: 'update accounts set credits_month = $2, credits_granted = $3 where id = $1',
    values: [company.id, monthOf(app.clock.now()), defaultPlans.team.credits_per_month],
  });
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 3));
  const buy = (documentId: string) => () =>
    app.db.transaction((tx) =>
      payCredits(app.world, tx, defaultPlans, {
        accountId: company.id,
        documentId,
        sourceSha256: Buffer.alloc(32),
        pages: 2,
      }),
    );
  const both = await interleave(app, holdAccount(), buy(one), buy(two));
  expect(both.map((settled) => settled.ok && settled.value)).toEqual([2, null]);
  expect((await owner.get('/usage')).body.credits.balance).toBe(1);
});

test('the same document is paid for once', async () => {
  const documentId = await createDraft(app, company.key);
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 10));
  const bought = { accountId: company.id, documentId, sourceSha256: Buffer.alloc(32), pages: 2 };
  const buy = () => app.db.transaction((tx) => payCredits(app.world, tx, defaultPlans, bought));
  const both = await interleave(app, holdAccount(), buy, buy);
  expect(both.map((settled) => settled.ok && settled.value)).toEqual([2, 0]);
});

/** Uses the quota up to `left`, then starts two uploads that each need all of it. */
async function twoUploads(used: { day_files?: number; month_bytes?: number }, bytes: number) {
  const upload = () => owner.post('/imports/uploads', { files: [{ name: 'Lease.pdf', bytes }], unlock_doc: false });
  await upload().then(({ body }) => owner.post(`/imports/${body.id}/cancel`));
  const [[column, value] = []] = Object.entries(used);
  await app.db.query({
    name: '',
    text: `update import_usage set ${column} = $2 where account_id = $1`,
    values: [company.id, value],
  });
  return interleave(app, holdRow('import_usage', 'account_id', company.id), upload, upload);
}

test('the last file of the day goes to one of two imports', async () => {
  const both = await twoUploads({ day_files: defaultPlans.team.import_files_per_day - 1 }, 1000);
  expect(both.map(statusOf)).toEqual([200, 403]);
});

test('the last storage of the month goes to one of two imports', async () => {
  const both = await twoUploads({ month_bytes: defaultPlans.team.import_bytes_per_month - 1000 }, 1000);
  expect(both.map(statusOf)).toEqual([200, 403]);
});

test('of two tenth webhook endpoints one is added', async () => {
  for (let number = 1; number <= 9; number += 1)
    await createEndpoint(app, company.id, `https://hooks.example/${number}`);
  const add = (name: string) => () => createEndpoint(app, company.id, `https://hooks.example/${name}`);
  const both = await interleave(app, holdAccount(), add('tenth'), add('eleventh'));
  expect(both.map(({ ok }) => ok)).toEqual([true, false]);
  expect((await owner.get('/webhooks')).body.data).toHaveLength(10);
});

test('of two rolls of a secret at once both succeed, with secrets of their own', async () => {
  const { id } = await createEndpoint(app, company.id, 'https://hooks.example/');
  const roll = () => owner.post(`/webhooks/${id}/roll`);
  const both = await interleave(app, holdRow('webhook_endpoints', 'id', id), roll, roll);
  expect(both.map(statusOf)).toEqual([200, 200]);
  const [first, second] = both.map((settled) => settled.ok && settled.value.body.secret);
  expect(first).not.toBe(second);
});

/** Jobs that run or are due, except seals. */
function otherJobs() {
  const text = `select from jobs.job where state < 'completed' and start_after <= now() and name <> 'seal-document'`;
  return app.db.query({ name: '', text, values: [] });
}

test.each(['void', 'restrict'])('sealing and %s at once, in either order', async (verb) => {
  for (const isSealedFirst of [true, false]) {
    const id = await createSent(app, company.key);
    const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
    const stateOf = async () => {
      const [row] = await app.db.query<{ status: string; sealed: boolean; restricted: boolean }>({
        name: '',
        text: `select status, sealed_at is not null as sealed, restricted_kind is not null as restricted
               from documents where id = $1`,
        values: [id],
      });
      return row as { status: string; sealed: boolean; restricted: boolean };
    };
    const change = () =>
      verb === 'void'
        ? owner.post(`/documents/${id}/void`, { reason: 'Wrong price' })
        : owner.post('/restricted-papers', { document_id: id, kind: 'pay' });
    // The job starts when the document is completed, makes its file and waits for the lock.
    const sealing = () => eventually(stateOf, ({ status, sealed }) => sealed || status === 'voided');
    expect((await signer.post('sign', signature)).body.state).toBe('completed');
    // Before, the job waits for the lock once more, to record the attestation.
    if (isSealedFirst) {
      await eventually(() => isAttested(id), Boolean);
      // Other jobs wait for the lock too, and would be taken for it.
      await eventually(otherJobs, (jobs) => jobs.length === 0);
    }
    const hold = holdRow('documents', 'id', id);
    const both = await interleave<unknown, unknown>(
      app,
      hold,
      isSealedFirst ? sealing : change,
      isSealedFirst ? change : sealing,
    );
    for (const settled of both) expect(settled.ok).toBe(true);
    if (verb === 'void') expect(await stateOf()).toMatchObject({ status: 'voided', sealed: isSealedFirst });
    else {
      const sealed = await eventually(stateOf, (state) => state.sealed);
      expect(sealed).toMatchObject({ status: 'completed', restricted: true });
    }
  }
});

async function isAttested(documentId: string): Promise<boolean> {
  const rows = await app.db.query({
    name: '',
    text: `select from audit_entries where document_id = $1 and action = 'attested'`,
    values: [documentId],
  });
  return rows.length > 0;
}
