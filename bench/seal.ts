import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { P12Signer, PDF } from '@libpdf/core';
import { ensureSigningCertificate } from '../src/pdf/signatures/signing-certificate.ts';
import { createLog } from '../src/platform/log.ts';
import { systemRandom } from '../src/platform/random.ts';
import { createPdfWorker } from '../src/sealing/pdf-worker.ts';
import type { SealInput } from '../src/sealing/seal-input.ts';
import { imageFile, inputFor, sampleFile } from '../src/sealing/testing/sample-files.ts';
import { sampleInput } from '../src/sealing/testing/sample-input.ts';

/**
 * `npm run bench`: the processor time that sealing takes in a PDF process, through the pool like the service, and how much
 * memory it takes for a file of 100 MB. The floor is libpdf's own signature on the same file, with a key of the same size: no
 * certificate of completion, no fields, no comparison of the pages, no check of the result.
 */
const seconds = Number(process.env.BENCH_SEAL_SECONDS ?? 10);
const warmUps = 60;
/** Highest ratio to the floor. */
const ratioMax = 16;
const memoryMaxMb = 700;
/** The unit of the times in /proc. */
const ticksPerSecond = 100;

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-seal-'));
const clock = { now: () => new Date('2026-03-14T12:00:00Z') };
const certificate = await ensureSigningCertificate({
  dataDir: directory,
  password: 'bench',
  clock,
  random: systemRandom,
});

try {
  const fields = [
    { type: 'signature', value: 'true', page: 5, y: 600 },
    { type: 'text', value: 'Blue door', page: 1 },
    { type: 'date', value: '2026-03-14', page: 5, y: 650 },
  ] as const;
  const fivePages = await sampleFile(5);
  await compare('a document without a file', sampleInput(), null, await sampleFile(1));
  await compare('a file of 5 pages with 3 fields', inputFor(fivePages, 5, [...fields]), fivePages, fivePages);
  const large = imageFile(50, 100);
  await memory('a file of 100 MB with 3 fields', inputFor(large, 50, [...fields]), large);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function compare(what: string, input: SealInput, file: Uint8Array | null, floorFile: Uint8Array): Promise<void> {
  const { worker, files } = open(file);
  for (let i = 0; i < warmUps; i++) await worker.seal(input, files);
  const [start, computedBefore] = [performance.now(), computedMs()];
  let sealed = 0;
  while (performance.now() - start < seconds * 1000) {
    await worker.seal(input, files);
    sealed += 1;
  }
  const [ms, bytes, peak] = [(computedMs() - computedBefore) / sealed, statSync(files.output).size, peakMb()];
  await worker.close();
  const floor = await floorMs(floorFile);
  console.log(
    `seal ${what.padEnd(34)} ${(ms / floor).toFixed(1)} times the floor (at most ${ratioMax}: ${ms / floor <= ratioMax ? 'yes' : 'NO'}), ` +
      `${ms.toFixed(1)} ms of a core, floor ${floor.toFixed(1)} ms, ${Math.round(bytes / 1024)} KiB, at most ${peak} MB resident`,
  );
}

/** Returns the processor time of a signature by libpdf alone. */
async function floorMs(file: Uint8Array): Promise<number> {
  const signer = await P12Signer.create(readFileSync(certificate.file), certificate.password);
  const sign = async () => (await PDF.load(file)).sign({ signer, reason: 'Floor' });
  for (let i = 0; i < warmUps; i++) await sign();
  const [start, before] = [performance.now(), process.cpuUsage()];
  let signed = 0;
  while (performance.now() - start < seconds * 1000) {
    await sign();
    signed += 1;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / signed;
}

async function memory(what: string, input: SealInput, file: Uint8Array): Promise<void> {
  const { worker, files } = open(file);
  const start = performance.now();
  await worker.seal(input, files);
  const took = Math.round(performance.now() - start);
  const peak = peakMb();
  console.log(
    `seal ${what.padEnd(34)} ${took} ms, at most ${peak} MB resident (at most ${memoryMaxMb} MB: ${peak <= memoryMaxMb ? 'yes' : 'NO'})`,
  );
  await worker.close();
}

function open(file: Uint8Array | null) {
  const source = file === null ? null : join(directory, 'source.pdf');
  if (file !== null && source !== null) writeFileSync(source, file);
  const worker = createPdfWorker({
    certificate,
    tsaUrl: null,
    processes: 1,
    timeoutMs: 60_000,
    memoryMaxBytes: 1536 * 2 ** 20,
    log: createLog('error'),
    clock,
  });
  return { worker, files: { source, output: join(directory, 'sealed.pdf') } };
}

/** Returns the maximum resident memory of the PDF process, if the system reports it. */
function peakMb(): number {
  const peaks = childFiles('status').map((status) => Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0));
  return Math.round(Math.max(0, ...peaks) / 1024);
}

/** Returns its CPU time so far, user and system. */
function computedMs(): number {
  const ticks = childFiles('stat').map((stat) => {
    const [user = '0', system = '0'] = (stat.split(') ').at(-1) ?? '').split(' ').slice(11, 13);
    return Number(user) + Number(system);
  });
  return (Math.max(0, ...ticks) * 1000) / ticksPerSecond;
}

/** Reads a file of /proc for each child process. */
function childFiles(name: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const isOurs = new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
        return isOurs ? [readFileSync(`/proc/${pid}/${name}`, 'utf8')] : [];
      } catch {
        return []; // it has ended in the meantime
      }
    });
}
