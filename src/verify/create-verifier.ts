import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SealedFiles } from '../documents/sealed-files.ts';
import { OperatorError } from '../errors.ts';
import { type Clock, systemClock } from '../world/clock.ts';
import type { Log } from '../world/log.ts';
import { PdfWorkerError, type PdfWorkerFailure } from '../world/pdf/process/pdf-worker-error.ts';
import { createProcessPool } from '../world/pdf/process/process-pool.ts';
import type { RecordedFile } from './examine-file.ts';
import type { FindingId } from './findings.ts';
import type { Fingerprint } from './fingerprint.ts';
import { type Report, reportOf } from './report.ts';
import type { Verified, VerifyJob, VerifyResult } from './verify-process.ts';

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
  /** What was recorded when files were sealed. Null: there is no database at hand, and a file is judged by itself. */
  sealedFiles: SealedFiles | null;
  /** Certificates (DER) of the authorities whose time-stamps are trusted. */
  anchors: readonly Uint8Array[];
  clock?: Clock;
  log: Log;
  /** The directory that `extract` is given. Left out: nothing is extracted. */
  extractTo?: string;
  timeoutMs?: number;
  memoryMaxBytes?: number;
}

export const fileBytesMax = 150 * 2 ** 20;

const entry = fileURLToPath(new URL('./verify-process.ts', import.meta.url));
/** One at a time, apart from the processes that seal, which strangers' files must not hold up. */
const limits = { name: 'verify', processes: 1, queueMax: 8, jobsMax: 200, idleMs: 30_000 };
const timeoutMsDefault = 20_000;
/** Opening 150 MB takes some 900. */
const memoryMaxBytesDefault = 1024 * 2 ** 20;

export function createVerifier(options: VerifierOptions): Verifier {
  const { log, sealedFiles, anchors, clock = systemClock, extractTo } = options;
  const { timeoutMs = timeoutMsDefault, memoryMaxBytes = memoryMaxBytesDefault } = options;
  const writable = extractTo === undefined ? [] : [extractTo];
  const pool = createProcessPool<VerifyJob, VerifyResult>({
    ...limits,
    entry,
    log,
    timeoutMs,
    memoryMaxBytes,
    writable,
  });

  async function verify(file: string, directory: string | null): Promise<Verified> {
    const found = await stat(file);
    if (!found.isFile()) throw new OperatorError(`${file} is not a file`);
    if (found.size > fileBytesMax) return reported('file_too_large');
    let recorded: RecordedFile | null = null;
    try {
      const fingerprints = sealedFiles === null ? [] : await pool.run<'fingerprint'>({ kind: 'fingerprint', file });
      recorded = await findRecorded(fingerprints);
      const isRecorded = recorded?.bytes === found.size;
      const [certificates, now] = [await options.certificates(), clock.now()];
      const examine = (to: string | null) =>
        pool.run<'verify'>({ kind: 'verify', file, certificates, recorded, anchors, now, extractTo: to });
      if (isRecorded || sealedFiles === null) return await examine(directory);
      const verified = await examine(null);
      if (await isOtherThanRecorded(verified)) return reported('not_as_recorded');
      return directory === null ? verified : await examine(directory);
    } catch (error) {
      const says = error instanceof PdfWorkerError ? whatItSays[error.failure] : null;
      if (says === null) throw error;
      return recorded?.bytes === found.size ? reported('recorded_here', 'contents_unreadable') : reported(says);
    }
  }

  /** The longest sealed file that the file is, or begins with. */
  async function findRecorded(fingerprints: readonly Fingerprint[]): Promise<RecordedFile | null> {
    if (sealedFiles === null || fingerprints.length === 0) return null;
    const sealed = await sealedFiles.find(fingerprints.map(({ sha256 }) => sha256));
    const ranges = new Map(sealed.map(({ sha256, range }) => [sha256, range]));
    const first = fingerprints.find(({ sha256 }) => ranges.has(sha256));
    return first === undefined ? null : { bytes: first.bytes, range: ranges.get(first.sha256) ?? null };
  }

  /** Not the recorded file, yet the same signed bytes: it was changed in the one place that no seal covers, its own. */
  async function isOtherThanRecorded({ report, signedDigest }: Verified): Promise<boolean> {
    const { verdict, document } = report;
    if (sealedFiles === null || verdict !== 'valid' || document === null || signedDigest === null) return false;
    return sealedFiles.hasSigned(document.id, signedDigest);
  }

  return {
    examine: async (file) => (await verify(file, null)).report,
    extract: verify,
    close: () => pool.close(),
  };
}

function reported(...ids: FindingId[]): Verified {
  return { report: reportOf(...ids), extracted: [], notSaved: null, signedDigest: null };
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
