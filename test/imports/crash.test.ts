import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { type Answer, type Company, call, createCompany, eventually } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { crashWhileImporting, expectWhole } from './crash-loop.ts';
import { type DriveDouble, startDriveDouble } from './drive-double.ts';
import { importIds, importLinks, sourceSettings } from './import-service.ts';
import { type StoreDouble, startStoreDouble } from './store-double.ts';

let ground: Ground;
let drive: DriveDouble;
let store: StoreDouble;
let company: Company;
let settings: Record<string, string>;
/** Of the tests that have only one. */
let server: Awaited<ReturnType<typeof startServer>>;

beforeEach(async () => {
  [ground, drive, store] = await Promise.all([prepareGround(), startDriveDouble(), startStoreDouble()]);
  company = await createCompany(ground);
  settings = { ...ground.settings, ...sourceSettings(drive, store) };
});
afterEach(async () => {
  await endServers();
  await Promise.all([drive.stop(), store.stop()]);
  await ground.clear();
});

/** It takes up to ten seconds until an import counts as abandoned. */
const recoveryMs = 80_000;

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

async function items(): Promise<Array<{ status: string; reason: string | null }>> {
  return ground.db.query({ name: '', text: 'select status, reason from import_items order by id', values: [] });
}

const settled = (count: number) =>
  eventually(items, (rows) => rows.filter(({ status }) => status === 'filed').length === count, recoveryMs);

async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  return eventually(ask, ({ status }) => status === 201, recoveryMs);
}

test('a store import whose process is killed is finished by the next, and its repetition gets the answer', async () => {
  const { opened, open } = gate();
  const late = aPdf();
  const links = [
    store.share('quick.pdf', aPdf()),
    store.share('late.pdf', async (response) => {
      response.write(late.subarray(0, 600));
      await opened;
      response.end(late.subarray(600));
    }),
  ];
  const server = await startServer(settings);
  const cut = importLinks(server, company, links, 'k').catch(() => null);
  await settled(1);
  server.kill('SIGKILL');
  await server.ended;
  expect(await cut).toBe(null);
  open();
  const next = await startServer(settings);
  await settled(2);
  const answer = await untilAnswered(() => importLinks(next, company, links, 'k'));
  expect(answer.body).toMatchObject({ status: 'finished', total_files: 2, filed: 2 });
  const replay = await importLinks(next, company, links, 'k');
  expect(replay.text).toBe(answer.text);
  expect((await call(next, 'GET', '/imports', { key: company.key })).body.data).toHaveLength(1);
  await expectWhole(ground);
});

test('a drive import whose process is killed ends interrupted, and a repetition with a fresh token brings in just that', async () => {
  const { opened, open } = gate();
  const [first, second] = [drive.add('first', { bytes: aPdf() }), drive.add('second', { bytes: aPdf() })];
  drive.add('second', {
    bytes: aPdf(),
    gives: (response, attempt) => {
      if (attempt > 1) return false;
      response.write('%PDF-1.4');
      void opened.then(() => response.destroy());
      return true;
    },
  });
  const server = await startServer(settings);
  const cut = importIds(server, company, [first, second], { idempotencyKey: 'k' }).catch(() => null);
  await settled(1);
  await eventually(items, ([, row]) => row?.status === 'running');
  server.kill('SIGKILL');
  await server.ended;
  await cut;
  open();
  const next = await startServer(settings);
  await eventually(items, ([, row]) => row?.reason === 'interrupted', recoveryMs);
  await expectWhole(ground);

  drive.requests.length = 0;
  drive.tokens.clear();
  drive.tokens.add('fresh-token');
  const repeat = (token: string) => importIds(next, company, [first, second], { idempotencyKey: 'k', token });
  const refused = await eventually(
    () => repeat('good-token'),
    ({ status, body }) => status < 500 && body.error.code !== 'idempotency_in_progress',
    recoveryMs,
  );
  expect(refused.body.error.code).toBe('drive_token_rejected');
  const answer = await untilAnswered(() => repeat('fresh-token'));
  expect(answer.body).toMatchObject({ status: 'finished', filed: 2, failed: 0 });
  expect(drive.requests.every(({ id }) => id === second)).toBe(true);
  expect((await repeat('whatever')).text).toBe(answer.text);
  await expectWhole(ground);
});

test('SIGTERM answers a running import and hands it over: the next process continues without waiting for the lease', async () => {
  const { opened, open } = gate();
  const late = aPdf();
  const link = store.share('late.pdf', async (response) => {
    response.write(late.subarray(0, 600));
    await opened;
    response.end(late.subarray(600));
  });
  const server = await startServer(settings);
  const asked = importLinks(server, company, [link], 'k');
  await eventually(items, ([row]) => row?.status === 'running');
  server.kill('SIGTERM');
  const early = await asked;
  expect(early.status).toBe(201);
  expect(early.body).toMatchObject({ status: 'running', filed: 0, items: [{ status: 'running' }] });
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stderr()).not.toContain('"level":"error"');
  const [row] = await ground.db.query<object>({
    name: '',
    text: `select status, lease_id from imports`,
    values: [],
  });
  expect(row).toEqual({ status: 'running', lease_id: null });
  open();
  const next = await startServer(settings);
  const answer = await untilAnswered(() => importLinks(next, company, [link], 'k'));
  expect(answer.body).toMatchObject({ id: early.body.id, filed: 1 });
  await expectWhole(ground);
});

test.each([
  [
    'the drive has described the files',
    () => importIds(server, company, [drive.add('slow-drive-file-0001', { bytes: aPdf(), looks: () => true })]),
    () => drive.count('look'),
  ],
  [
    'the sizes of links are known, which storage is short for',
    () => importLinks(server, company, [store.share('slow.pdf', () => {})]),
    () => store.requests.length,
  ],
])('SIGTERM before %s: nothing is started, and the answer says so', async (_what, ask, looked) => {
  const plans = join(ground.dataDir, 'plans.json');
  await writeFile(plans, JSON.stringify({ enterprise: { import_bytes_per_month: 100_000_000 } }));
  server = await startServer({ ...settings, PLANS_FILE: plans });
  const asked = ask();
  await eventually(
    async () => looked(),
    (count) => count > 0,
  );
  server.kill('SIGTERM');
  const { status, body } = await asked;
  expect([status, body.error.code]).toEqual([502, 'import_not_started']);
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(await items()).toEqual([]);
});

test('kill -9 at random while clients import: each is answered whole, and nothing is left half', async () => {
  await crashWhileImporting(ground, { imports: 8, crashes: 3, upMsMax: 900 });
});
