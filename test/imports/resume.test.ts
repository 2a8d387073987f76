import { rename } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultPlans } from '../../src/accounts/plans.ts';
import type { ImportLimits } from '../../src/imports/import-deps.ts';
import { expectRefusal } from '../api/refusal.ts';
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
/** Stopping, starting and taking over take some seconds each. */
const recoveryMs = 80_000;

/** A process on the common database, with its own DATA_DIR. */
async function start(
  role: 'web' | 'worker' | 'all',
  env: Record<string, string> = {},
  importLimits: Partial<ImportLimits> = {},
): Promise<TestService> {
  const app = await startTestService({
    databaseUrl: database.url,
    clock,
    env: { ...sourceSettings(drive, store), ROLE: role, ...env },
    outside: { importLimits },
  });
  running.push(app);
  return app;
}

/** On a busy machine, a process may end before it releases its leases. They then expire after ten seconds. */
async function stop(app: TestService): Promise<void> {
  running.splice(running.indexOf(app), 1);
  await app.stop();
  clock.advance({ seconds: 11 });
}

/** A link whose file arrives slowly, but fast enough, until the test releases the rest. */
function heldLink() {
  let isHeld = true;
  const bytes = aPdf({ bytes: 8_000_000 });
  const link = store.share('held.pdf', (response) => {
    let sent = 0;
    const send = () => {
      const chunk = bytes.subarray(sent, isHeld ? sent + 16_384 : bytes.length);
      sent += chunk.length;
      response.write(chunk);
      if (sent < bytes.length) return;
      clearInterval(timer);
      response.end();
    };
    const timer = setInterval(send, 250);
    response.once('close', () => clearInterval(timer));
  });
  return {
    link,
    letGo: () => {
      isHeld = false;
    },
  };
}

type Row = { status: string; reason: string | null };
/** Sorts the store's files before the drive's, because ids of two processes at the same moment have no order. */
const items = (app: TestService): Promise<Row[]> =>
  app.db.query<Row>({
    name: '',
    text: 'select status, reason from import_items order by drive_file_id nulls first',
    values: [],
  });
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

  const second = await start('all', { SECRET_KEY: Buffer.alloc(32, 1).toString('base64') });
  const rows = await eventually(
    () => items(second),
    (seen) => seen.every(({ status }) => status === 'failed'),
    recoveryMs,
  );
  expect(rows.map(({ reason }) => reason)).toEqual(Array(6).fill('interrupted'));
  const listed = await call(second, 'GET', '/imports?status=running', { key: company.key });
  expect(listed.body.data).toEqual([]);

  for (const { letGo } of held) letGo();
  // The process that ended them releases them a moment later.
  const repeats = held.map(({ link }, index) =>
    eventually(
      () => importLinks(second, company, [link], `k${index}`),
      ({ status }) => status !== 409,
      recoveryMs,
    ),
  );
  for (const { status, body } of await Promise.all(repeats)) {
    expect([status, body.status, body.filed, body.failed]).toEqual([201, 'finished', 1, 0]);
  }
});

test('an import that is resumed at length holds up no other', async () => {
  const first = await start('web');
  const company = await createCompany(first);
  const { link, letGo } = heldLink();
  const cut = importLinks(first, company, [link], 'k').catch(() => null);
  await eventually(() => items(first), areRunning(1));
  await stop(first);
  await cut;
  const asked = store.requests.length;
  const worker = await start('worker');
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
    recoveryMs,
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
});

test('a link that is imported again after a failure of the disk is resumed by the next worker', async () => {
  const first = await start('web', {}, { storageMsMax: 0 });
  const company = await createCompany(first);
  const { link, letGo } = heldLink();
  const incoming = join(first.dataDir, 'incoming');
  await rename(incoming, `${incoming}-away`);
  const failed = await importLinks(first, company, [link], 'k');
  expect(failed.body.items[0]).toMatchObject({ status: 'failed', reason: 'storage_unavailable' });
  await rename(`${incoming}-away`, incoming);

  const cut = importLinks(first, company, [link], 'k').catch(() => null);
  await eventually(() => items(first), areRunning(1));
  await stop(first);
  await cut;
  letGo();
  const worker = await start('worker');
  const rows = await eventually(
    () => items(worker),
    ([row]) => row?.status === 'filed' || row?.status === 'failed',
    recoveryMs,
  );
  expect(rows).toEqual([{ status: 'filed', reason: null }]);
});

test('interrupted files of a drive that the storage has no room for are imported by a later repetition', async () => {
  const first = await start('web');
  const company = await createCompany(first);
  const isFirst = (response: ServerResponse, attempt: number) => attempt === 1 && response.write('%PDF-1.4');
  const ids = ['small', 'large'].map((id) =>
    drive.add(id, { bytes: aPdf({ bytes: id === 'small' ? 10_000 : 900_000 }), gives: isFirst }),
  );
  const cut = importIds(first, company, ids, { idempotencyKey: 'k' }).catch(() => null);
  await eventually(() => items(first), areRunning(2));
  await stop(first);
  await cut;
  const second = await start('all');
  await eventually(
    () => items(second),
    (rows) => rows.every(({ reason }) => reason === 'interrupted'),
    recoveryMs,
  );

  const leave = (bytes: number) => {
    const used = defaultPlans.enterprise.import_bytes_per_month - bytes;
    return second.db.query({ name: '', text: `update import_usage set month_bytes = ${used}`, values: [] });
  };
  const repeat = () =>
    eventually(
      () => importIds(second, company, ids, { idempotencyKey: 'k' }),
      ({ body }) => body.error?.code !== 'idempotency_in_progress',
      recoveryMs,
    );
  await leave(100_000);
  const partly = await repeat();
  expect(partly.body.items).toMatchObject([{ status: 'filed' }, { status: 'failed', reason: 'interrupted' }]);
  expectRefusal(await repeat(), 'import_quota_exceeded');
  await leave(10_000_000);
  const whole = await repeat();
  expect(whole.body).toMatchObject({ id: partly.body.id, status: 'finished', filed: 2, failed: 0 });
  await leave(0);
  expect((await repeat()).text).toBe(whole.text);
});
