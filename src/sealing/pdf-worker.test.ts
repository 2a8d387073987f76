import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { closePdfProcesses } from '../../test/support/service.ts';
import type { PdfWorkerError } from '../pdf/process/pdf-worker-error.ts';
import { endlessInput, sampleInput } from './testing/sample-input.ts';
import {
  isAlive,
  pdfProcessesOf,
  temporaryDirectory,
  testCertificate,
  testWorker,
  waitUntil,
} from './testing/tools.ts';

beforeAll(closePdfProcesses);

/** Returns the failure of a job that must fail. */
async function failureOf(job: Promise<unknown>): Promise<PdfWorkerError['failure']> {
  const error = await job.then(
    () => new Error('it did not fail'),
    (reason: PdfWorkerError) => reason,
  );
  expect(error).toMatchObject({ name: 'PdfWorkerError' });
  return (error as PdfWorkerError).failure;
}

async function onlyProcess(): Promise<number> {
  await waitUntil(() => pdfProcessesOf(process.pid).length === 1);
  return pdfProcessesOf(process.pid)[0] ?? -1;
}

test('the first job starts a PDF process, which ends when it is idle', async () => {
  const worker = await testWorker();
  expect(pdfProcessesOf(process.pid)).toEqual([]);
  await worker.seal(sampleInput());
  const pid = await onlyProcess();
  await worker.seal(sampleInput());
  expect(await onlyProcess()).toBe(pid);
  await worker.close();

  const hasty = await testWorker({ idleMs: 500 });
  await hasty.seal(sampleInput());
  await waitUntil(() => pdfProcessesOf(process.pid).length === 0);
  expect((await hasty.seal(sampleInput())).length).toBeGreaterThan(0);
});

test('a process killed during a job only fails that job', async () => {
  const worker = await testWorker();
  const job = failureOf(worker.seal(endlessInput()));
  const pid = await onlyProcess();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  process.kill(pid, 'SIGKILL');
  expect(await job).toBe('crashed');
  expect((await worker.seal(sampleInput())).length).toBeGreaterThan(0);
});

test('a process killed between two jobs fails no job', async () => {
  const worker = await testWorker();
  await worker.seal(sampleInput());
  const pid = await onlyProcess();
  process.kill(pid, 'SIGKILL'); // the next job starts before the service notices
  expect((await worker.seal(sampleInput())).length).toBeGreaterThan(0);
});

test('a job over its time limit is killed, and the next job completes', async () => {
  const worker = await testWorker({ timeoutMs: 6000, memoryMaxBytes: 4 * 2 ** 30 });
  const [endless, next] = await Promise.all([failureOf(worker.seal(endlessInput())), worker.seal(sampleInput())]);
  expect(endless).toBe('timeout');
  expect(next.length).toBeGreaterThan(0);
});

test('a job over its memory limit is killed', async () => {
  const worker = await testWorker({ memoryMaxBytes: 300 * 2 ** 20 });
  expect(['memory', 'crashed']).toContain(await failureOf(worker.seal(endlessInput())));
  expect((await worker.seal(sampleInput())).length).toBeGreaterThan(0);
});

test('buffers count towards the memory limit, although they are outside the heap', async () => {
  const worker = await testWorker({ memoryMaxBytes: 300 * 2 ** 20 });
  const sample = sampleInput();
  const bytes = Buffer.alloc(120 * 2 ** 20).toString('base64');
  sample.attachments.push({ name: 'zeros', mediaType: 'application/octet-stream', description: '', bytes });
  expect(await failureOf(worker.seal(sample))).toBe('memory');
});

test('jobs wait for a free process, and are refused when the queue is full', async () => {
  const worker = await testWorker();
  const jobs = Array.from({ length: 102 }, () => worker.seal(sampleInput()));
  const outcomes = Promise.allSettled(jobs);
  expect((await Promise.any(jobs)).length).toBeGreaterThan(0);
  expect(pdfProcessesOf(process.pid)).toHaveLength(1);
  await worker.close();
  const failures = (await outcomes).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.failure] : [],
  );
  expect(failures.filter((failure) => failure === 'busy')).toHaveLength(1);
  expect(failures.filter((failure) => failure !== 'busy' && failure !== 'closed')).toEqual([]);
});

test('closing ends the processes and fails running and waiting jobs', async () => {
  const worker = await testWorker();
  const jobs = [worker.seal(endlessInput()), worker.seal(sampleInput())].map(failureOf);
  const pid = await onlyProcess();
  await worker.close();
  expect(await Promise.all(jobs)).toEqual(['closed', 'closed']);
  expect(isAlive(pid)).toBe(false);
  expect(await failureOf(worker.seal(sampleInput()))).toBe('closed');
});

test('the process shows neither the password nor the environment of the service', async () => {
  process.env.PDF_TEST_SECRET = 'do not inherit';
  onTestFinished(() => {
    delete process.env.PDF_TEST_SECRET;
  });
  const worker = await testWorker({ certificate: { ...(await testCertificate()), password: 'test' } });
  await worker.seal(sampleInput());
  const pid = await onlyProcess();
  if (process.platform !== 'linux') return;
  const settings = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  const names = settings.map((setting) => setting.slice(0, setting.indexOf('=')));
  expect(names.sort()).toEqual(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_COMPILE_CACHE']);
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')).not.toContain('test');
});

/** Starts a test service. Returns it with its PDF process. */
async function startServiceProcess(work: 'idle' | 'busy' | 'leave') {
  const script = fileURLToPath(new URL('./testing/service-process.ts', import.meta.url));
  const service = spawn(process.execPath, [script, temporaryDirectory(), work], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    service.kill('SIGKILL');
  });
  const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
  await new Promise((resolve) => service.stdout.once('data', resolve));
  return { service, ended };
}

test.each(['idle', 'busy'] as const)('no PDF process survives a service killed with kill -9: %s', async (work) => {
  const { service, ended } = await startServiceProcess(work);
  await waitUntil(() => pdfProcessesOf(service.pid ?? -1).length === 1);
  const [pid = -1] = pdfProcessesOf(service.pid ?? -1);
  // By now a busy process is in the middle of its job.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(isAlive(service.pid ?? -1)).toBe(true);
  expect(isAlive(pid)).toBe(true);
  service.kill('SIGKILL');
  await ended;
  await waitUntil(() => !isAlive(pid));
});

test('an idle PDF process does not keep a service running', async () => {
  const { ended } = await startServiceProcess('leave');
  const code = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 60_000, 'still there'))]);
  expect(code).toBe(0);
});
