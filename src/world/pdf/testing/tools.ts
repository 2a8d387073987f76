import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLog } from '../../log.ts';
import { systemRandom } from '../../random.ts';
import { createPdfWorker, type PdfWorker, type PdfWorkerOptions } from '../pdf-worker.ts';
import { ensureSigningCertificate, type SigningCertificateFile } from '../signing-certificate.ts';

/** A directory that goes with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-pdf-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The certificate a service generates for itself, valid around the times of `sampleInput`. */
export function testCertificate(): Promise<SigningCertificateFile> {
  const clock = { now: () => new Date('2026-03-01T00:00:00Z') };
  return ensureSigningCertificate({ dataDir: temporaryDirectory(), password: 'test', clock, random: systemRandom });
}

/** A worker with a generated certificate, closed with the test. */
export async function testWorker(changes: Partial<PdfWorkerOptions> = {}): Promise<PdfWorker> {
  const worker = createPdfWorker({
    certificate: changes.certificate ?? (await testCertificate()),
    tsaUrl: null,
    processes: 1,
    timeoutMs: 25_000,
    memoryMaxBytes: 768 * 2 ** 20,
    log: createLog('silent'),
    clock: { now: () => new Date('2026-03-14T12:00:00Z') },
    ...changes,
  });
  onTestFinished(() => worker.close());
  return worker;
}

/** Writes the bytes to a file and says what a command prints about it, exit status and all. */
export function inspect(bytes: Uint8Array, command: string, before: string[] = [], after: string[] = []): string {
  const file = join(temporaryDirectory(), 'file.pdf');
  writeFileSync(file, bytes);
  try {
    return execFileSync(command, [...before, file, ...after], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout?: string; stderr?: string; code?: string };
    if (code === 'ENOENT') throw new Error(`${command} is not installed`);
    return `failed: ${stdout}${stderr}`;
  }
}

export function pdfText(bytes: Uint8Array): string {
  return inspect(bytes, 'pdftotext', ['-layout'], ['-']);
}

export function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The PDF processes that a service process has right now. */
export async function pdfProcessesOf(parentPid: number): Promise<number[]> {
  const list = await new Promise<string>((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,args='], { maxBuffer: 2 ** 24 }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
  return list
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[2]) === parentPid && match?.[3]?.includes('pdf/process/main.ts'))
    .map((match) => Number(match?.[1]));
}

export async function waitUntil(condition: () => Promise<boolean> | boolean, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
