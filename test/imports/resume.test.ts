import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { call, createCompany, eventually, startTestService, TestClock, type TestService } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { type DriveDouble, startDriveDouble } from './drive-double.ts';
import { importIds, importLinks, sourceSettings } from './import-service.ts';
import { type StoreDouble, startStoreDouble } from './store-double.ts';

let database: FreshDatabase;
let drive: DriveDouble;
let store: StoreDouble;
let running: TestService[];

beforeEach(async () => {
  [database, drive, store] = await Promise.all([freshDatabase(), startDriveDouble(), startStoreDouble()]);
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((app) => app.stop()));
  await Promise.all([drive.stop(), store.stop()]);
  await database.drop();
});

const clock = new TestClock();

/** A process on the common database, with a DATA_DIR of its own. */
async function start(role: 'web' | 'worker' | 'all', env: Record<string, string> = {}): Promise<TestService> {
  const app = await startTestService({
    databaseUrl: database.url,
    clock,
    env: { ...sourceSettings(drive, store), ROLE: role, ...env },
  });
  running.push(app);
  return app;
}

async function stop(app: TestService): Promise<void> {
  running.splice(running.indexOf(app), 1);
  await app.stop();
}

/** A link whose file comes only when it is let go. */
function heldLink() {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const bytes = aPdf();
  const link = store.share('held.pdf', async (response) => {
    response.write(bytes.subarray(0, 100));
    await held;
    response.end(bytes.subarray(100));
  });
  return { link, letGo: () => letGo() };
}

type Row = { status: string; reason: string | null };
const items = (app: TestService): Promise<Row[]> =>
  app.db.query<Row>({ name: '', text: 'select status, reason from import_items order by id', values: [] });
const areRunning = (count: number) => (rows: Row[]) =>
  rows.filter(({ status }) => status === 'running').length === count;

test('imports whose links cannot be read any more end, and a repetition of the request brings them again', async () => {
  const first = await start('web');
  const company = await createCompany(first);
  const held = Array.from({ length: 6 }, heldLink);
  const cut = held.map(({ link }, index) => importLinks(first, company, [link], `k${index}`).catch(() => null));
  await eventually(() => items(first), areRunning(6));
  await stop(first);
  await Promise.all(cut);

  // Another DATA_DIR, and with it another SECRET_KEY.
  const second = await start('all');
  const rows = await eventually(
    () => items(second),
    (seen) => seen.every(({ status }) => status === 'failed'),
  );
  expect(rows.map(({ reason }) => reason)).toEqual(Array(6).fill('interrupted'));
  const listed = await call(second, 'GET', '/imports?status=running', { key: company.key });
  expect(listed.body.data).toEqual([]);

  for (const { letGo } of held) letGo();
  const repeats = held.map(({ link }, index) => importLinks(second, company, [link], `k${index}`));
  for (const { status, body } of await Promise.all(repeats)) {
    expect([status, body.status, body.filed, body.failed]).toEqual([201, 'finished', 1, 0]);
  }
}, 60_000);

test('an import that is resumed at length holds up no other', async () => {
  const first = await start('web', { SECRET_KEY: Buffer.alloc(32, 1).toString('base64') });
  const company = await createCompany(first);
  const { link, letGo } = heldLink();
  const cut = importLinks(first, company, [link], 'k').catch(() => null);
  await eventually(() => items(first), areRunning(1));
  await stop(first);
  await cut;
  const asked = store.requests.length;
  const worker = await start('worker', { SECRET_KEY: Buffer.alloc(32, 1).toString('base64') });
  await eventually(
    async () => store.requests.length,
    (count) => count > asked,
  );

  const second = await start('web');
  const id = drive.add('silent', { bytes: aPdf(), gives: (response) => response.write('%PDF-1.4') });
  const alsoCut = importIds(second, company, [id]).catch(() => null);
  await eventually(() => items(second), areRunning(2));
  await stop(second);
  await alsoCut;
  const rows = await eventually(
    () => items(worker),
    ([, other]) => other?.status === 'failed',
  );
  expect(rows).toEqual([
    { status: 'running', reason: null },
    { status: 'failed', reason: 'interrupted' },
  ]);
  letGo();
  await eventually(
    () => items(worker),
    ([resumed]) => resumed?.status === 'filed',
  );
}, 60_000);
