import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SealedFiles } from '../documents/sealed-files.ts';
import { OperatorError } from '../errors.ts';
import { PdfWorkerError, type PdfWorkerFailure } from '../pdf/process/pdf-worker-error.ts';
import { createProcessPool } from '../pdf/process/process-pool.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { sealedBytesMax } from '../sealing/sealed-bytes.ts';
import type { RecordedFile } from './examine-file.ts';
import type { FindingId } from './findings.ts';
import type { Fingerprint } from './fingerprint.ts';
import { type Report, reportOf } from './report.ts';
import type { Verified, VerifyJob, VerifyResult } from './verify-process.ts';

export interface Verifier {
  /**
   * Examines a file. Every file gets a report, also one that is no PDF. Throws an `OperatorError` for a path that is no
   * file, the errors of the file system, and a `PdfWorkerError`: `busy` when too many files wait already, or `closed`.
   */
  examine(file: string): Promise<Report>;
  /** Examines a file and saves the files that a valid seal covers. `directory` must have none of `embeddedNames` yet. */
  extract(file: string, directory: string): Promise<Verified>;
  close(): Promise<void>;
}

export interface VerifierOptions {
  /** Returns the certificates (DER) of this service's seals. Called for every file, because a certificate may be renewed. */
  certificates: () => Promise<Uint8Array[]>;
  /** What was recorded when files were sealed. Null without a database: a file is then judged by its contents alone. */
  sealedFiles: SealedFiles | null;
  /** Certificates (DER) of the authorities whose time-stamps are trusted. */
  anchors: readonly Uint8Array[];
  clock?: Clock;
  log: Log;
  /** The directory that `extract` may write to. Required for `extract`. */
  extractTo?: string;
  timeoutMs?: number;
  memoryMaxBytes?: number;
}

const entry = fileURLToPath(new URL('./verify-process.ts', import.meta.url));
/** One file at a time, in a process of its own: strangers' files must not delay sealing. */
const limits = { name: 'verify', processes: 1, queueMax: 8, jobsMax: 200, idleMs: 30_000 };
/**
 * Returns the time limit of a job, in milliseconds: 20 seconds, and for the largest file two minutes. It takes 15 seconds, and
 * more than a minute where memory is slow and other things run.
 */
function timeoutMsOf(fileBytes: number): number {
  return 20_000 + Math.round((100_000 * fileBytes) / sealedBytesMax);
}

/** Opening a file of 160 MB takes about 960 MB. */
const memoryMaxBytesDefault = 1024 * 2 ** 20;

export function createVerifier(options: VerifierOptions): Verifier {
  const { log, sealedFiles, anchors, clock = systemClock, extractTo } = options;
  const { memoryMaxBytes = memoryMaxBytesDefault } = options;
  const writable = extractTo === undefined ? [] : [extractTo];
  const pool = createProcessPool<VerifyJob, VerifyResult>({
    ...limits,
    entry,
    log,
    timeoutMs: timeoutMsOf(sealedBytesMax),
    memoryMaxBytes,
    writable,
  });

  async function verify(file: string, directory: string | null): Promise<Verified> {
    const found = await stat(file);
    if (!found.isFile()) throw new OperatorError(`${file} is not a file`);
    if (found.size > sealedBytesMax) return reported('file_too_large');
    const timeoutMs = options.timeoutMs ?? timeoutMsOf(found.size);
    let recorded: RecordedFile | null = null;
    try {
      const fingerprints =
        sealedFiles === null ? [] : await pool.run<'fingerprint'>({ kind: 'fingerprint', file }, { timeoutMs });
      recorded = await findRecorded(fingerprints);
      const isRecorded = recorded?.bytes === found.size;
      const [certificates, now] = [await options.certificates(), clock.now()];
      const examine = (to: string | null) =>
        pool.run<'verify'>(
          { kind: 'verify', file, certificates, recorded, anchors, now, extractTo: to },
          { timeoutMs },
        );
      if (isRecorded || sealedFiles === null) return await examine(directory);
      const verified = await examine(null);
      if (await isOtherThanRecorded(verified)) return reported('not_as_recorded');
      return directory === null ? verified : await examine(directory);
    } catch (error) {
      const id = error instanceof PdfWorkerError ? findingOfFailure[error.failure] : null;
      if (id === null) throw error;
      return recorded?.bytes === found.size ? reported('recorded_here', 'contents_unreadable') : reported(id);
    }
  }

  /** Finds the longest sealed file that the file is equal to or begins with. */
  async function findRecorded(fingerprints: readonly Fingerprint[]): Promise<RecordedFile | null> {
    if (sealedFiles === null || fingerprints.length === 0) return null;
    const sealed = await sealedFiles.find(fingerprints.map(({ sha256 }) => sha256));
    const ranges = new Map(sealed.map(({ sha256, range }) => [sha256, range]));
    const first = fingerprints.find(({ sha256 }) => ranges.has(sha256));
    return first === undefined ? null : { bytes: first.bytes, range: ranges.get(first.sha256) ?? null };
  }

  /**
   * Whether the file has the signed bytes of a recorded file and is another file. It was then changed in the one place that
   * a seal does not cover: the signature itself.
   */
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

/** Findings for failures that the file caused. Null for failures that have nothing to do with it. */
const findingOfFailure: Record<PdfWorkerFailure, FindingId | null> = {
  timeout: 'too_complex',
  memory: 'too_complex',
  crashed: 'too_complex',
  failed: 'structure_unreadable',
  busy: null,
  closed: null,
};
