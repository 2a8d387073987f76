import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../errors.ts';
import type { Log } from '../world/log.ts';
import { PdfWorkerError, type PdfWorkerFailure } from '../world/pdf/process/pdf-worker-error.ts';
import { createProcessPool } from '../world/pdf/process/process-pool.ts';
import type { FindingId } from './findings.ts';
import { type Report, reportOf } from './report.ts';
import type { Verified, VerifyJob } from './verify-process.ts';

export interface Verifier {
  /**
   * Every file gets a report. Throws an `OperatorError` for what is none, the file system's errors, and a
   * `PdfWorkerError` with `busy` when too many wait already, or `closed`.
   */
  examine(file: string): Promise<Report>;
  /** The same, and saves what is embedded under a seal that holds. `directory` has none of `embeddedNames` yet. */
  extract(file: string, directory: string): Promise<Verified>;
  close(): Promise<void>;
}

export interface VerifierOptions {
  /** Those that a seal of this service bears, DER. Asked for again for every file, as a certificate may be renewed. */
  certificates: () => Promise<Uint8Array[]>;
  log: Log;
  timeoutMs?: number;
  memoryMaxBytes?: number;
}

export const fileBytesMax = 150 * 2 ** 20;

const entry = fileURLToPath(new URL('./verify-process.ts', import.meta.url));
/** One at a time, apart from the processes that seal, which strangers' files must not hold up. */
const limits = { processes: 1, queueMax: 8, jobsMax: 200, idleMs: 30_000 };
const timeoutMsDefault = 20_000;
/** Opening 150 MB takes some 900. */
const memoryMaxBytesDefault = 1024 * 2 ** 20;

export function createVerifier(options: VerifierOptions): Verifier {
  const { log, timeoutMs = timeoutMsDefault, memoryMaxBytes = memoryMaxBytesDefault } = options;
  const pool = createProcessPool<VerifyJob, { verify: Verified }>({ ...limits, entry, log, timeoutMs, memoryMaxBytes });

  async function verify(file: string, extractTo: string | null): Promise<Verified> {
    const found = await stat(file);
    if (!found.isFile()) throw new OperatorError(`${file} is not a file`);
    if (found.size > fileBytesMax) return reported('file_too_large');
    try {
      const certificates = await options.certificates();
      return await pool.run<'verify'>({ kind: 'verify', file, certificates, extractTo });
    } catch (error) {
      const says = error instanceof PdfWorkerError ? whatItSays[error.failure] : null;
      if (says === null) throw error;
      return reported(says);
    }
  }

  return {
    examine: async (file) => (await verify(file, null)).report,
    extract: verify,
    close: () => pool.close(),
  };
}

function reported(id: FindingId): Verified {
  return { report: reportOf(id), extracted: [], notSaved: null };
}

/** A file that ends its process says something about itself; a full queue does not. */
const whatItSays: Record<PdfWorkerFailure, FindingId | null> = {
  timeout: 'too_complex',
  memory: 'too_complex',
  crashed: 'too_complex',
  failed: 'structure_unreadable',
  busy: null,
  closed: null,
};
