import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createPdfReader, type PdfReader } from '../../src/pdf/pdf-reader.ts';
import { PdfWorkerError, type PdfWorkerFailure } from '../../src/pdf/process/pdf-worker-error.ts';
import { createLog } from '../../src/platform/log.ts';
import { createSealProcesses, type SealProcesses } from '../../src/sealing/pdf-worker.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { type Company, call, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Uploads that arrive in full, while a part of the service fails. */
let app: TestService;
let reader: PdfReader;
let seal: SealProcesses;
let company: Company;
let ruth: Visitor;
let failure: PdfWorkerFailure | null = null;
let logged = '';

beforeAll(async () => {
  const log = createLog('silent');
  reader = createPdfReader({ log });
  const inspect: PdfReader['inspect'] = async (path, owner) => {
    if (failure !== null) throw new PdfWorkerError(failure, `the reader is ${failure}`);
    return reader.inspect(path, owner);
  };
  seal = createSealProcesses({ processes: 1, timeoutMs: 60_000, memoryMaxBytes: 2 ** 30, network: false, log });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    logged += String(text);
    return true;
  });
  app = await startTestService({
    env: { LOG_LEVEL: 'error' },
    outside: { pdfProcesses: { seal, reader: { ...reader, inspect } } },
  });
  company = await createCompany(app);
  ruth = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterEach(() => {
  failure = null;
  logged = '';
});
afterAll(async () => {
  await app.stop();
  await Promise.all([seal.close(), reader.close()]);
  vi.restoreAllMocks();
});

/** Announces a file. Returns what sends it, and what reads its item. */
async function announce() {
  const pdf = new Uint8Array(aPdf());
  const files = [{ name: 'Lease.pdf', bytes: pdf.length }];
  const { body } = await ruth.post('/imports/uploads', { files, unlock_doc: false });
  return {
    send: () => ruth.upload(`/imports/${body.id}/items/${body.items[0]}/file`, pdf),
    item: async () => (await call(app, 'GET', `/imports/${body.id}/items`, { key: company.key })).body.data[0],
  };
}

test('a store that fails ends the file as storage_unavailable, logs why, and the file can be sent again', async () => {
  const { send } = await announce();
  const place = join(app.dataDir, 'files/sha256');
  await rm(place, { recursive: true, force: true });
  await mkdir(join(app.dataDir, 'files'), { recursive: true });
  await writeFile(place, 'not a directory');
  const { status, body } = await send();
  expect([status, body]).toEqual([200, { status: 'failed', reason: 'storage_unavailable', duplicate: false }]);
  expect(logged).toContain('an uploaded file could not be imported');
  await rm(place);
  expect((await send()).body).toMatchObject({ status: 'filed' });
});

test('a PDF reader that fails ends the file as download_failed, and logs why', async () => {
  const { send } = await announce();
  failure = 'failed';
  expect((await send()).body).toMatchObject({ status: 'failed', reason: 'download_failed' });
  expect(logged).toContain('an uploaded file could not be imported');
});

test.for(['busy', 'closed'] as const)('a PDF reader that is %s leaves the file open', async (kind) => {
  const { send, item } = await announce();
  failure = kind;
  const answer = await send();
  expect(refusal(answer)).toEqual([429, 'too_many_tries']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await item()).toMatchObject({ status: 'running', reason: null });
  failure = null;
  expect((await send()).body).toMatchObject({ status: 'filed' });
});
