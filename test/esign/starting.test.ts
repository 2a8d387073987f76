import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../api/refusal.ts';
import { failWrites } from '../faults/faulty-service.ts';
import { type Company, call, createCompany, startTestService, type TestService } from '../support/service.ts';
import { startMigration } from './migrate.ts';
import { connectCompany } from './vendor/connect-company.ts';
import { startVendor, type Vendor } from './vendor/vendor.ts';

/** Answers of POST /imports to a vendor import, without a worker that runs it. */
let vendor: Vendor;
let app: TestService;

beforeAll(async () => {
  vendor = await startVendor();
  app = await startTestService({ env: { ...vendor.env, ROLE: 'web', IMPORTS_CLOUD_ENABLED: 'false' } });
});
afterAll(async () => {
  await app.stop();
  await vendor.stop();
});

async function connected(...tier: Parameters<typeof createCompany> extends [unknown, ...infer Rest] ? Rest : never) {
  const company = await createCompany(app, ...tier);
  const owner = await connectCompany(app, company.id);
  return { ...company, owner };
}

const imports = async ({ key }: Pick<Company, 'key'>) => (await call(app, 'GET', '/imports', { key })).body.data;

test('a company that is not connected is told so, after what is wrong with its body', async () => {
  const company = await createCompany(app);
  expectRefusal(await startMigration(app, company), 'esign_not_connected', 'source');
  expectRefusal(await startMigration(app, company, { earliest: 'soon' }), 'invalid_earliest', 'earliest');
  expectRefusal(await startMigration(app, company, { unlock_doc: 'no' }), 'invalid_unlock_doc', 'unlock_doc');
  const both = { earliest: 'soon', unlock_doc: 'no' };
  expectRefusal(await startMigration(app, company, both), 'invalid_earliest', 'earliest');
  expect(await imports(company)).toEqual([]);
});

test('a connection that the vendor has ended counts as none, and one that was removed', async () => {
  const { owner, ...company } = await connected();
  const refusal = `update esign_connections set refused_at = $2 where account_id = $1`;
  await app.db.query({ name: '', text: refusal, values: [company.id, app.clock.now()] });
  const refused = await startMigration(app, company);
  expectRefusal(refused, 'esign_not_connected', 'source');
  expect(refused.body.error.message).toContain('again');
  await owner.call('DELETE', '/connections/esign_vendor');
  expectRefusal(await startMigration(app, company), 'esign_not_connected', 'source');
});

test.for(['starter', 'pro', 'enterprise'] as const)('the %s plan may, also with a test key', async (tier) => {
  const [company, other] = [await connected(tier), await connected(tier)];
  expect((await startMigration(app, company)).status).toBe(201);
  expect((await startMigration(app, { key: other.testKey })).status).toBe(201);
});

test('a plan without the API may not, nor a key without the scope', async () => {
  expectRefusal(await startMigration(app, await createCompany(app, 'free')), 'api_access_required');
  const company = await connected();
  const { key } = await company.keyWith(['imports:read', 'documents:write']);
  expectRefusal(await startMigration(app, { key }), 'insufficient_scope', 'scopes');
  expect(await imports(company)).toEqual([]);
});

test('a second one is refused while the first runs, whoever asks at once', async () => {
  const company = await connected();
  const answers = await Promise.all(Array.from({ length: 8 }, () => startMigration(app, company)));
  const [started, ...refused] = answers.sort((a, b) => a.status - b.status);
  expect(started?.body).toMatchObject({ source: 'esign_vendor', status: 'running', total_files: 0, remaining: 0 });
  expect(started?.body).not.toHaveProperty('items');
  for (const answer of refused) expectRefusal(answer, 'import_already_running');
  expect(await imports(company)).toEqual([started?.body]);
  expect((await startMigration(app, await connected())).status).toBe(201);
});

test('the same key gets the same answer and starts nothing; with another body it is refused', async () => {
  const company = await connected();
  const headers = { 'idempotency-key': 'k' };
  const first = await startMigration(app, company, { earliest: '2024-01-01T00:00:00Z' }, headers);
  const second = await startMigration(app, company, { earliest: '2024-01-01T00:00:00Z' }, headers);
  expect([second.status, second.text]).toEqual([201, first.text]);
  expectRefusal(await startMigration(app, company, {}, headers), 'idempotency_key_reused');
  expect(await imports(company)).toHaveLength(1);
});

test.for(['imports', 'esign_sweeps', 'idempotency_records'])(
  'import_not_started when %s cannot be written: nothing was queued, and the key is free',
  async (table) => {
    const company = await connected();
    const headers = { 'idempotency-key': 'k' };
    const mend = await failWrites(app, table, 'at once');
    const failed = await startMigration(app, company, {}, headers);
    await mend();
    const code = table === 'idempotency_records' ? 'idempotency_store_failed' : 'import_not_started';
    expectRefusal(failed, code);
    expect(await imports(company)).toEqual([]);
    expect((await startMigration(app, company, {}, headers)).status).toBe(201);
  },
);

test('it costs one unit of the rate budget', async () => {
  const company = await connected();
  const left = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining-daily'));
  const before = left(await call(app, 'GET', '/account', { key: company.key }));
  expect(before - left(await startMigration(app, company))).toBe(1);
});

test('/metrics tells how many imports run, and how long the migration waits that waits the longest', async () => {
  const told = async (name: string) => {
    const text = await (await fetch(new URL('/metrics', app.baseUrl))).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    );
  };
  const running = () => told('countersign_imports_running{source="esign_vendor"}');
  const before = await running();
  await startMigration(app, await connected());
  expect(await running()).toBe(before + 1);
  const waiting = await told('countersign_migration_waiting_seconds');
  app.clock.advance({ seconds: 90 });
  expect(await told('countersign_migration_waiting_seconds')).toBe(waiting + 90);
});
