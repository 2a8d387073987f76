import { fileURLToPath } from 'node:url';
import { createProcessPool } from '../pdf/process/process-pool.ts';
import type { Log } from '../platform/log.ts';
import type { Job, JobResult } from './jobs.ts';
import type { SealInput } from './seal-input.ts';

/** Draws complete certificates in a child process with limits on time and memory, apart from the sealing of documents. */
export interface CertificateDrawer {
  /** Returns an unsigned PDF. Throws a `PdfWorkerError`. */
  draw(input: SealInput): Promise<Uint8Array>;
  close(): Promise<void>;
}

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));

export function createCertificateDrawer({ log }: { log: Log }): CertificateDrawer {
  const pool = createProcessPool<Job, JobResult>({
    name: 'certificate',
    entry,
    log,
    processes: 1,
    queueMax: 20,
    timeoutMs: 60_000,
    memoryMaxBytes: 1024 * 2 ** 20,
    jobsMax: 100,
    idleMs: 10_000,
  });
  return { draw: (input) => pool.run<'draw'>({ kind: 'draw', input }), close: () => pool.close() };
}
