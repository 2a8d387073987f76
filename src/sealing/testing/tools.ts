import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ensureSigningCertificate, type SigningCertificateFile } from '../../pdf/signatures/signing-certificate.ts';
import { createLog } from '../../platform/log.ts';
import { systemRandom } from '../../platform/random.ts';
import { createPdfWorker, type PdfWorker, type PdfWorkerOptions } from '../pdf-worker.ts';
import type { SealInput } from '../seal-input.ts';

/** Creates a directory that is deleted after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-pdf-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Generates a certificate as the service does, valid at the times of `sampleInput`. */
export function testCertificate(): Promise<SigningCertificateFile> {
  const clock = { now: () => new Date('2026-03-01T00:00:00Z') };
  return ensureSigningCertificate({ dataDir: temporaryDirectory(), password: 'test', clock, random: systemRandom });
}

export interface TestWorker extends Omit<PdfWorker, 'seal'> {
  /** Seals a document, with its attached file if there is one. Returns the bytes of the sealed PDF. */
  seal(input: SealInput, file?: Uint8Array): Promise<Buffer>;
}

/** Creates a worker with a generated certificate, which is closed after the test. */
export async function testWorker(changes: Partial<PdfWorkerOptions> = {}): Promise<TestWorker> {
  const worker = createPdfWorker({
    certificate: changes.certificate ?? (await testCertificate()),
    tsaUrl: null,
    processes: 1,
    timeoutMs: 60_000,
    memoryMaxBytes: 768 * 2 ** 20,
    log: createLog('silent'),
    clock: { now: () => new Date('2026-03-14T12:00:00Z') },
    ...changes,
  });
  onTestFinished(() => worker.close());
  const directory = temporaryDirectory();
  let sealed = 0;
  return {
    ...worker,
    async seal(input, file) {
      const number = sealed++;
      const path = (name: string) => join(directory, `${name}-${number}.pdf`);
      const files = { source: file === undefined ? null : path('source'), output: path('output') };
      if (file !== undefined) writeFileSync(path('source'), file);
      const { sha256, bytes } = await worker.seal(input, files);
      const pdf = readFileSync(files.output);
      expect({ sha256, bytes }).toEqual({ sha256: createHash('sha256').update(pdf).digest('hex'), bytes: pdf.length });
      return pdf;
    },
  };
}

/** Runs a command on bytes written to a file. Returns its output, whatever its exit status. */
export function inspect(bytes: Uint8Array, command: string, before: string[] = [], after: string[] = []): string {
  const file = join(temporaryDirectory(), 'file.pdf');
  writeFileSync(file, bytes);
  try {
    return execFileSync(command, [...before, file, ...after], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    });
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

interface ListedProcess {
  pid: number;
  parentPid: number;
  state: string;
  command: string;
}

/** Reads /proc if it exists, because slim containers have no `ps`. */
function listProcesses(): ListedProcess[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(fromProc);
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state=,args='], { encoding: 'utf8', maxBuffer: 2 ** 24 });
  return list.split('\n').map((line) => {
    const [, pid, parentPid, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), parentPid: Number(parentPid), state, command };
  });
}

function fromProc(pid: string): ListedProcess[] {
  try {
    const [state = '', parentPid] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ pid: Number(pid), parentPid: Number(parentPid), state, command }];
  } catch {
    return []; // it has ended in the meantime
  }
}

/** Returns the current PDF processes of a service process. `entry`: how the path of their module ends. */
export function pdfProcessesOf(parentPid: number, entry = 'sealing/main.ts'): number[] {
  return listProcesses()
    .filter((listed) => listed.parentPid === parentPid && listed.command.includes(entry))
    .map(({ pid }) => pid);
}

/** Whether a process runs. A zombie process counts as ended. */
export function isAlive(pid: number): boolean {
  return listProcesses().some((listed) => listed.pid === pid && !listed.state.startsWith('Z'));
}

export async function waitUntil(condition: () => Promise<boolean> | boolean, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
