import type { Log } from '../../platform/log.ts';
import { missingConfinement, probeConfinement } from './confinement.ts';
import { type PdfProcess, type ProcessLimits, startPdfProcess } from './pdf-process.ts';
import { PdfWorkerError, ProcessGoneError } from './pdf-worker-error.ts';
import { createWaitingLine } from './waiting-line.ts';

/** A pool of processes. `Result` maps each kind of job to its result. */
export interface ProcessPool<Job extends { kind: string }, Result extends Record<Job['kind'], unknown>> {
  run<K extends Job['kind']>(job: Extract<Job, { kind: K }>, options?: RunOptions): Promise<Result[K]>;
  /** Ends all processes. Rejects waiting and running jobs. */
  close(): Promise<void>;
}

export interface RunOptions {
  /** The time limit of this job, if it is not that of the others. */
  timeoutMs?: number;
  /** The company for which it is. Companies take turns when there are more jobs than processes. */
  owner?: string;
}

export interface PoolOptions extends ProcessLimits {
  processes: number;
  /** Jobs that may wait for a process. */
  queueMax: number;
  /** Those of one owner, if not all of them. */
  ownerQueueMax?: number;
  /** Time after which an idle process is ended. */
  idleMs: number;
  log: Log;
  /** Kinds of jobs whose failures the caller logs. */
  unlogged?: readonly string[];
}

/** Creates a pool that starts processes only when there are jobs for them. */
export function createProcessPool<Job extends { kind: string }, Result extends Record<Job['kind'], unknown>>(
  options: PoolOptions,
): ProcessPool<Job, Result> {
  const living = new Set<PdfProcess>();
  const idle: Array<{ pdfProcess: PdfProcess; timer: NodeJS.Timeout }> = [];
  const waiting = createWaitingLine<{ take(): void; reject(error: Error): void }>({
    max: options.queueMax,
    ownerMax: options.ownerQueueMax ?? options.queueMax,
  });
  let isClosed = false;

  async function run<K extends Job['kind']>(
    job: Extract<Job, { kind: K }>,
    { timeoutMs, owner = '' }: RunOptions = {},
  ): Promise<Result[K]> {
    for (;;) {
      const pdfProcess = await acquire(owner);
      try {
        return (await pdfProcess.run(job, timeoutMs)) as Result[K];
      } catch (error) {
        if (error instanceof ProcessGoneError) continue;
        const failure = error instanceof PdfWorkerError ? error.failure : 'failed';
        if (!options.unlogged?.includes(job.kind)) options.log.warn('a PDF job failed', { job: job.kind, failure });
        throw error;
      } finally {
        release(pdfProcess);
      }
    }
  }

  async function acquire(owner: string): Promise<PdfProcess> {
    for (;;) {
      if (isClosed) throw new PdfWorkerError('closed', 'the PDF worker is closed');
      const free = takeIdle();
      if (free !== null) return free;
      if (living.size < options.processes) return start();
      await new Promise<void>((take, reject) => {
        if (!waiting.add(owner, { take, reject }))
          reject(new PdfWorkerError('busy', 'too many PDF jobs are already waiting'));
      });
    }
  }

  /** Returns the process used last, so that the others stay idle and end. */
  function takeIdle(): PdfProcess | null {
    for (;;) {
      const last = idle.pop();
      if (last === undefined) return null;
      clearTimeout(last.timer);
      if (last.pdfProcess.isUsable()) return last.pdfProcess;
    }
  }

  function start(): PdfProcess {
    logMissingConfinement(options.log);
    const pdfProcess = startPdfProcess(options);
    living.add(pdfProcess);
    void pdfProcess.ended.then(() => {
      living.delete(pdfProcess);
      waiting.next()?.take();
    });
    return pdfProcess;
  }

  function release(pdfProcess: PdfProcess): void {
    if (!pdfProcess.isUsable()) {
      pdfProcess.retire();
      return;
    }
    const timer = setTimeout(() => pdfProcess.retire(), options.idleMs).unref();
    idle.push({ pdfProcess, timer });
    waiting.next()?.take();
  }

  async function close(): Promise<void> {
    isClosed = true;
    const closed = 'the PDF worker was closed';
    for (const { reject } of waiting.clear()) reject(new PdfWorkerError('closed', closed));
    const all = [...living];
    for (const pdfProcess of all) pdfProcess.kill('closed', closed);
    await Promise.all(all.map(({ ended }) => ended));
  }

  return { run, close };
}

let isLogged = false;

/** Logs missing confinement once. It does not change while the service runs. */
function logMissingConfinement(log: Log): void {
  if (isLogged) return;
  isLogged = true;
  const missing = missingConfinement(probeConfinement());
  if (missing !== null) log.info('PDF processes are not fully confined on this system', { missing });
}
