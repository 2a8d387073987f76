import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectRefusal } from '../api/refusal.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { type DriveDouble, startDriveDouble } from '../imports/drive-double.ts';
import { importLinks, sourceSettings } from '../imports/import-service.ts';
import { type StoreDouble, startStoreDouble } from '../imports/store-double.ts';
import { type Company, call, createCompany, eventually } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { execute, type FaultyService, failWrites, hideTable, onceFree, startFaultyService } from './faulty-service.ts';

let app: FaultyService;
let drive: DriveDouble;
let store: StoreDouble;
let company: Company;

beforeAll(async () => {
  [drive, store] = await Promise.all([startDriveDouble(), startStoreDouble()]);
  app = await startFaultyService(sourceSettings(drive, store));
});
afterEach(() => app.proxy.restore());
afterAll(async () => {
  await app.stop();
  await Promise.all([drive.stop(), store.stop()]);
});
beforeEach(async () => {
  company = await createCompany(app);
});

const importOne = (idempotencyKey?: string, link = store.share('a.pdf', aPdf())) =>
  importLinks(app, company, [link], idempotencyKey);
const count = async (table: string) => {
  const [row] = await app.db.query<{ n: number }>({
    name: '',
    text: `select count(*)::int as n from ${table} where account_id = $1`,
    values: [company.id],
  });
  return row?.n;
};

test.each(['imports', 'import_items', 'import_usage'])(
  'import_not_started when %s cannot be written: nothing was queued or downloaded, and the key is free',
  async (table) => {
    const requests = store.requests.length;
    const link = store.share('a.pdf', aPdf());
    const mend = await failWrites(app, table, 'at once');
    expectRefusal(await importOne(undefined, link), 'import_not_started');
    expectRefusal(await importOne('k', link), 'import_not_started');
    await mend();
    expect([await count('imports'), store.requests.length]).toEqual([0, requests]);
    expect((await importOne('k', link)).body).toMatchObject({ filed: 1 });
  },
);

test('account_unavailable when the plan cannot be read', async () => {
  app.proxy.cutBefore('read_account_tier');
  expectFailure(await importOne(), 'account_unavailable', company.key);
});

test.each(['take_idempotency_lease', 'lock_idempotency_key', 'find_idempotency_lease'])(
  'idempotency_store_failed when the connection is lost before %s: nothing was begun',
  async (statement) => {
    app.proxy.cutBefore(statement);
    expectFailure(await importOne('k'), 'idempotency_store_failed', company.key);
    expect(await count('imports')).toBe(0);
    expect((await onceFree(() => importOne('k'))).status).toBe(201);
  },
);

test.each(['settle_import_item', 'remember_answer', 'begin_import_item', 'create_document'])(
  'a connection lost before %s: the repetition carries on, with one document and the same answer',
  async (statement) => {
    const link = store.share('a.pdf', aPdf());
    app.proxy.cutBefore(statement);
    expectFailure(await importOne('k', link), 'internal_error', company.key);
    const answer = await onceFree(() => importOne('k', link));
    expect(answer.body).toMatchObject({ status: 'finished', filed: 1 });
    expect((await importOne('k', link)).text).toBe(answer.text);
    expect([await count('imports'), await count('documents')]).toEqual([1, 1]);
  },
);

test('imports_unavailable on every look at imports', async () => {
  const { body } = await importOne();
  const get = (path: string) => call(app, 'GET', path, { key: company.key });
  const paths = ['/imports', '/imports?status=finished', `/imports/${body.id}`, `/imports/${body.id}/items`];
  const mend = await hideTable(app, 'imports');
  for (const path of paths) expectFailure(await get(path), 'imports_unavailable', company.key);
  await mend();
  const mendItems = await hideTable(app, 'import_items');
  expectFailure(await get(`/imports/${body.id}/items`), 'imports_unavailable', company.key);
  await mendItems();
  for (const path of paths) expect((await get(path)).status).toBe(200);
});

test('a process that lost its import to another records nothing more of it', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const bytes = aPdf();
  const link = store.share('a.pdf', async (response) => {
    response.write(bytes.subarray(0, 600));
    await held;
    response.end(bytes.subarray(600));
  });
  const losing = importOne('k', link);
  await eventually(
    () => app.db.query<object>({ name: '', text: `select 1 from import_items where status = 'running'`, values: [] }),
    (rows) => rows.length === 1,
  );
  const thief = '01900000-0000-7000-8000-000000000000';
  await execute(app, 'update imports set lease_id = $1 where account_id = $2', [thief, company.id]);
  letGo();
  expectFailure(await losing, 'internal_error');
  expect(await count('documents')).toBe(0);
  expect((await call(app, 'GET', '/imports', { key: company.key })).body.data).toMatchObject([{ remaining: 1 }]);
  // The key is still in use. A repeated request waits until it is free.
  expectRefusal(await importOne('k', link), 'idempotency_in_progress');
  await execute(app, 'update imports set leased_until = created_at where account_id = $1', [company.id]);
  expect((await importOne('k', link)).body).toMatchObject({ filed: 1 });
  expect(await count('documents')).toBe(1);
});
