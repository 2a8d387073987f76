import { fileURLToPath } from 'node:url';
import { PdfWorkerError } from '../../pdf/process/pdf-worker-error.ts';
import { createProcessPool } from '../../pdf/process/process-pool.ts';
import type { Log } from '../../platform/log.ts';
import type { Conversion, UnlockJob, UnlockResult } from './process/jobs.ts';

/** Converts PDFs to editable blocks, in child processes with limits on time and memory. */
export interface Unlocker {
  /**
   * Unlocks the file at `source` and writes the result to `output`. The source must not change, and the output must not
   * exist. A file that crashes its process twice gets an answer too. Throws a `PdfWorkerError`: `busy` when too many jobs
   * wait, `closed`, or `failed` for faults of this service, which are worth another try.
   */
  convert(file: Omit<UnlockJob, 'kind'>): Promise<Conversion>;
  close(): Promise<void>;
}

export interface UnlockerOptions {
  log: Log;
  /** Limit for one file. */
  timeoutMs?: number;
  /** Limit for one process. */
  memoryMaxBytes?: number;
}

const entry = fileURLToPath(new URL('./process/main.ts', import.meta.url));
const timeoutMsDefault = 15 * 60_000;
const memoryMaxBytesDefault = 1024 * 2 ** 20;
export const unlocksAtOnce = 2;

export function createUnlocker({ log, timeoutMs, memoryMaxBytes }: UnlockerOptions): Unlocker {
  const pool = createProcessPool<UnlockJob, UnlockResult>({
    name: 'unlock',
    entry,
    log,
    processes: unlocksAtOnce,
    queueMax: 50,
    timeoutMs: timeoutMs ?? timeoutMsDefault,
    memoryMaxBytes: memoryMaxBytes ?? memoryMaxBytesDefault,
    jobsMax: 200,
    idleMs: 10_000,
    unlogged: ['unlock'],
  });
  return {
    async convert(file) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await pool.run<'unlock'>({ kind: 'unlock', ...file });
        } catch (error) {
          const failure = error instanceof PdfWorkerError ? error.failure : null;
          // The process may have ended because this machine ran out of memory, which is not the file's fault.
          if (failure === 'crashed' && attempt === 1) continue;
          if (failure === 'timeout' || failure === 'memory' || failure === 'crashed')
            return { ok: false, reason: 'conversion_failed' };
          throw error;
        }
      }
    },
    close: () => pool.close(),
  };
}
