import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, call, createCompany, createDraft } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { execute, type FaultyService, startFaultyService, written } from './faulty-service.ts';

let app: FaultyService;
let company: Company;
let id: string;

const stranger = { name: 'Eve Stranger', email: 'eve@elsewhere.example', phone: '+15550001111' };

beforeAll(async () => {
  app = await startFaultyService();
  company = await createCompany(app);
  const other = await createCompany(app);
  id = await createDraft(app, company.key, {
    recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }, stranger],
  });
  // A fault that the schema forbids: a recipient's row belongs to another company.
  await execute(app, 'alter table recipients drop constraint recipients_account_id_document_id_fkey');
  await execute(app, 'update recipients set account_id = $2 where document_id = $1 and position = 1', [id, other.id]);
});
afterAll(() => app.stop());

const secrets = [stranger.name, stranger.email, stranger.phone, 'Ada Lovelace', 'ada@example.com'];

test("the recipients of a document are not shown when one of them is another company's", async () => {
  const answer = await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key });
  expectFailure(answer, 'tenant_divergence', ...secrets);
});

test('nor is such a document sent', async () => {
  const before = await written(app);
  for (const headers of [{}, { 'idempotency-key': 'diverged' }]) {
    const answer = await call(app, 'POST', `/documents/${id}/send`, { key: company.key, headers });
    expectFailure(answer, 'tenant_divergence', ...secrets);
  }
  expect(await written(app)).toEqual(before);
});

test('what has not diverged goes on being served', async () => {
  const sound = await createDraft(app, company.key);
  expect((await call(app, 'GET', `/documents/${sound}/recipients`, { key: company.key })).body.data).toHaveLength(1);
  expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).status).toBe(200);
});
