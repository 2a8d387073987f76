import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ImportLimits } from '../../src/imports/import-deps.ts';
import { createPdfReader, type PdfReader } from '../../src/pdf/pdf-reader.ts';
import { PdfWorkerError } from '../../src/pdf/process/pdf-worker-error.ts';
import { createLog } from '../../src/platform/log.ts';
import { createSealProcesses } from '../../src/sealing/pdf-worker.ts';
import { temporaryDirectory } from '../../src/sealing/testing/tools.ts';
import type { PdfProcesses } from '../../src/service.ts';
import { expectRefusal } from '../api/refusal.ts';
import {
  type Company,
  call,
  createCompany,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { startDriveDouble } from './drive-double.ts';
import { importLinks, sourceSettings } from './import-service.ts';
import { type StoreDouble, startStoreDouble } from './store-double.ts';

let store: StoreDouble;
let app: TestService;
let company: Company;

beforeEach(async () => {
  store = await startStoreDouble();
});
afterEach(() => store.stop());

async function startWith(
  importLimits: Partial<ImportLimits>,
  plan: object = {},
  pdfProcesses?: PdfProcesses,
): Promise<void> {
  const drive = await startDriveDouble();
  const plans = join(temporaryDirectory(), 'plans.json');
  await writeFile(plans, JSON.stringify({ enterprise: plan }));
  const env = { ...sourceSettings(drive, store), PLANS_FILE: plans };
  const outside = { importLimits, ...(pdfProcesses && { pdfProcesses }) };
  app = await startTestService({ env, outside });
  company = await createCompany(app);
  onTestFinished(async () => {
    await app.stop();
    await drive.stop();
  });
}

const reasons = (body: { items: Array<{ reason: string | null; status: string }> }) =>
  body.items.map(({ reason, status }) => reason ?? status);

/** Makes the file store unwritable, as with a full disk or a store that answers 503. */
const faults = {
  'the file store': async () => {
    const place = join(app.dataDir, 'files/sha256');
    await rm(place, { recursive: true, force: true });
    await mkdir(join(app.dataDir, 'files'), { recursive: true });
    await writeFile(place, 'not a directory');
    return () => rm(place);
  },
  'the disk that files come in on': async () => {
    const place = join(app.dataDir, 'incoming');
    await rename(place, `${place}-away`);
    return () => rename(`${place}-away`, place);
  },
};

test.for(Object.entries(faults))(
  '%s failing is storage_unavailable, and is not remembered: the same key tries just those files again',
  async ([, breakIt]) => {
    await startWith({ storageMsMax: 0 });
    const links = [store.share('a.pdf', aPdf()), store.share('b.txt', Buffer.from('no PDF'.repeat(300)))];
    const mend = await breakIt();
    const failed = await importLinks(app, company, links, 'k');
    expect([failed.status, reasons(failed.body)[0]]).toEqual([201, 'storage_unavailable']);
    expectRefusal(await importLinks(app, company, links.slice(1), 'k'), 'idempotency_key_reused');
    await mend();
    const again = await importLinks(app, company, links, 'k');
    expect(reasons(again.body)).toEqual(['filed', 'unsupported_type']);
    expect(again.body).toMatchObject({ id: failed.body.id, status: 'finished', filed: 1, failed: 1, remaining: 0 });
    expect((await importLinks(app, company, links, 'k')).text).toBe(again.text);
  },
);

test.for(Object.entries(faults))('%s is tried again while there is time', async ([, breakIt]) => {
  await startWith({});
  const link = store.share('a.pdf', aPdf());
  const mend = await breakIt();
  const answer = importLinks(app, company, [link]);
  await eventually(
    async () => store.requests.length,
    (requests) => requests > 0,
  );
  await mend();
  expect(reasons((await answer).body)).toEqual(['filed']);
});

/** PDF processes whose reader has no room for the first inspections. */
function busyProcesses(busyTimes: number): PdfProcesses {
  const log = createLog('silent');
  const reader = createPdfReader({ log });
  const seal = createSealProcesses({ processes: 1, timeoutMs: 60_000, memoryMaxBytes: 2 ** 30, network: false, log });
  onTestFinished(async () => {
    await Promise.all([reader.close(), seal.close()]);
  });
  let left = busyTimes;
  const inspect: PdfReader['inspect'] = async (path, owner) => {
    left -= 1;
    if (left >= 0) throw new PdfWorkerError('busy', '50 PDF jobs are already waiting');
    return reader.inspect(path, owner);
  };
  return { seal, reader: { ...reader, inspect } };
}

test('a file waits while the PDF reader is busy, and is downloaded once', async () => {
  await startWith({}, {}, busyProcesses(2));
  const link = store.share('a.pdf', aPdf());
  expect(reasons((await importLinks(app, company, [link])).body)).toEqual(['filed']);
  expect(store.requests.filter((path) => path.startsWith('/cd/'))).toHaveLength(1);
});

test('a PDF reader that stays busy is storage_unavailable, and the same key tries the file again', async () => {
  await startWith({ storageMsMax: 0 }, {}, busyProcesses(1));
  const link = store.share('a.pdf', aPdf());
  expect(reasons((await importLinks(app, company, [link], 'k')).body)).toEqual(['storage_unavailable']);
  expect(reasons((await importLinks(app, company, [link], 'k')).body)).toEqual(['filed']);
});

test('a store that gives no size in time keeps nobody waiting: the file counts as the largest', async () => {
  await startWith({ sizesMsMax: 300 }, { import_bytes_per_month: 100_000_000 });
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const hanging = store.share('held.pdf', async (response) => {
    await held;
    response.end(aPdf());
  });
  expectRefusal(await importLinks(app, company, [hanging]), 'import_quota_exceeded');
  letGo();
});

test('files that are tried again need room for their bytes once more', async () => {
  await startWith({ storageMsMax: 0 }, { import_bytes_per_month: 200_000_000 });
  const link = store.share('a.pdf', aPdf());
  const mend = await faults['the file store']();
  expect(reasons((await importLinks(app, company, [link], 'k')).body)).toEqual(['storage_unavailable']);
  await mend();
  const use = (bytes: number) =>
    app.db.query({ name: '', text: `update import_usage set month_bytes = ${bytes}`, values: [] });
  await use(200_000_000 - 10);
  expectRefusal(await importLinks(app, company, [link], 'k'), 'import_quota_exceeded');
  // It is not as large as a file may be.
  await use(199_000_000);
  expect(reasons((await importLinks(app, company, [link], 'k')).body)).toEqual(['filed']);
});

test('an import that takes too long is answered as running, and goes on', async () => {
  await startWith({ answerMsMax: 8000 });
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const bytes = aPdf();
  const hanging = store.share('held.pdf', async (response) => {
    await held;
    response.end(bytes);
  });
  const links = [hanging, store.share('a.pdf', aPdf())];
  const first = await importLinks(app, company, links, 'k');
  expect([first.status, first.body.status, first.body.remaining]).toEqual([201, 'running', 1]);
  expect(first.body.items[0]).toMatchObject({ finished_at: null, document_id: null });
  expect(first.body.items[1]).toMatchObject({ status: 'filed' });
  expectRefusal(await importLinks(app, company, links, 'k'), 'idempotency_in_progress');

  letGo();
  await eventually(
    async () => (await call(app, 'GET', `/imports/${first.body.id}`, { key: company.key })).body.status,
    (status) => status === 'finished',
  );
  const last = await eventually(
    () => importLinks(app, company, links, 'k'),
    ({ status }) => status === 201,
  );
  expect(last.body).toMatchObject({ id: first.body.id, status: 'finished', filed: 2, remaining: 0 });
  expect((await importLinks(app, company, links, 'k')).text).toBe(last.text);
});
