import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../errors.ts';
import { createProcessPool, type ProcessPool } from '../pdf/process/process-pool.ts';
import { CertificateError } from '../pdf/signatures/certificate-error.ts';
import { storeCertificate } from '../pdf/signatures/certificates-used.ts';
import type { CertificateFile } from '../pdf/signatures/open-signer.ts';
import type { SigningCertificateFile } from '../pdf/signatures/signing-certificate.ts';
import type { CertificateSummary } from '../pdf/signatures/signing-certificate-rules.ts';
import { type SigningKey, SigningKeyError } from '../pdf/signing-key/signing-key.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { readChangedPage } from './attached/changed-page-error.ts';
import type { Attestation, Job, JobResult, SealedPdf, SealFiles } from './jobs.ts';
import type { RenewedSeal, RenewInput } from './renew-seal.ts';
import type { SealInput } from './seal-input.ts';

/** Makes sealed PDFs in child processes with time and memory limits. */
export interface PdfWorker {
  /**
   * Writes the sealed PDF of a completed document.
   *
   * @throws a `PdfWorkerError`, a `CertificateError` (for example when the certificate has expired), a `SigningKeyError` when
   * the key cannot be used, or a `ChangedPageError` when a page of the attached file would look different once sealed.
   */
  seal(input: SealInput, files: SealFiles): Promise<SealedPdf>;
  /**
   * Adds a time-stamp to a sealed file when its newest one is due. The file with it is written to `output`.
   *
   * @throws a `PdfWorkerError`.
   */
  renew(input: RenewInput, source: string, output: string): Promise<RenewedSeal>;
  /**
   * Signs the hash (hex) of an audit entry, with a time-stamp when there is an authority.
   *
   * @throws a `PdfWorkerError`, a `CertificateError` or a `SigningKeyError`, as `seal` does.
   */
  attest(hash: string): Promise<Attestation>;
  /** Signs a test page. Throws an `OperatorError` of one line when the certificate cannot be used. */
  checkCertificate(): Promise<CertificateSummary>;
  close(): Promise<void>;
}

/** The processes of one worker or of several. */
export type SealProcesses = ProcessPool<Job, JobResult>;

export interface SealProcessOptions {
  /** The key, when the certificate file has certificates only. */
  signingKey?: SigningKey | null;
  /** Whether processes may use the network, for time-stamps and revocation data. Default: true. */
  network?: boolean;
  processes: number;
  /** Time limit per document. */
  timeoutMs: number;
  /** Memory limit per process. */
  memoryMaxBytes: number;
  log: Log;
  /** Time after which an idle process is ended. */
  idleMs?: number;
}

export interface PdfWorkerOptions extends SealProcessOptions {
  /** Certificate file. It is read again for every job, so that a renewed certificate is used without a restart. */
  certificate: SigningCertificateFile;
  /** Directory that stores every certificate used, so that old seals can be checked after a renewal. */
  certificatesDir?: string;
  /** URL of an RFC 3161 time-stamp authority. When set, sealing fails without its time-stamp. */
  tsaUrl: string | null;
  clock?: Clock;
  /** Processes that other workers use too. The caller closes them. Default: processes of its own. */
  shared?: SealProcesses;
}

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
const queueMax = 100;
const jobsMax = 200;
const idleMsDefault = 30_000;
/** Jobs of the check at start, which reports its own errors. */
const unlogged = ['check', 'certificate'];

export function createSealProcesses(options: SealProcessOptions): SealProcesses {
  const { network = true, idleMs = idleMsDefault } = options;
  const ours = { name: 'seal', entry, queueMax, jobsMax, unlogged, readError };
  return createProcessPool<Job, JobResult>({ ...options, ...ours, network, idleMs });
}

export function createPdfWorker(options: PdfWorkerOptions): PdfWorker {
  const { certificate, certificatesDir, tsaUrl, clock = systemClock, signingKey = null, shared } = options;
  const pool = shared ?? createSealProcesses(options);
  let stored: CertificateFile | undefined;

  /** Reads the certificate file. Stores a new certificate before it is used. */
  async function readAndStore(): Promise<CertificateFile> {
    const file = await readCertificate(certificate, signingKey === null);
    const isStored = stored !== undefined && Buffer.from(file.bytes).equals(stored.bytes);
    if (certificatesDir !== undefined && !isStored) {
      const der = await pool.run<'certificate'>({ kind: 'certificate', certificate: file });
      await storeCertificate(certificatesDir, der);
      stored = file;
    }
    return file;
  }

  return {
    seal: (input, files) =>
      withCertificateFile(certificate.file, async () => {
        return pool.run<'seal'>({ kind: 'seal', input, ...files, certificate: await readAndStore(), tsaUrl });
      }),
    renew: (input, source, output) => pool.run<'renew'>({ kind: 'renew', ...input, source, output }),
    attest: (hash) =>
      withCertificateFile(certificate.file, async () => {
        return pool.run<'attest'>({
          kind: 'attest',
          hash,
          certificate: await readAndStore(),
          tsaUrl,
          now: clock.now(),
        });
      }),
    async checkCertificate() {
      try {
        return await withCertificateFile(certificate.file, async () => {
          return pool.run<'check'>({
            kind: 'check',
            certificate: await readAndStore(),
            now: clock.now(),
          });
        });
      } catch (error) {
        const isConfiguration = error instanceof CertificateError || error instanceof SigningKeyError;
        throw isConfiguration ? new OperatorError(error.message, { cause: error }) : error;
      }
    },
    close: async () => {
      if (shared === undefined) await pool.close();
    },
  };
}

/** Rebuilds the errors that callers distinguish. A process sends only their names and messages. */
function readError(error: Pick<Error, 'name' | 'message'>): Error | null {
  if (error.name === 'CertificateError') return new CertificateError(error.message);
  if (error.name === 'SigningKeyError') return new SigningKeyError(error.message);
  return readChangedPage(error);
}

async function readCertificate({ file, password }: SigningCertificateFile, hasKey: boolean): Promise<CertificateFile> {
  try {
    return { bytes: await readFile(file), password: hasKey ? password : null };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new CertificateError('the file does not exist');
    throw new CertificateError(`the file cannot be read (${code})`);
  }
}

/** Adds the name of the certificate file to errors. The PDF process does not know it. */
async function withCertificateFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SigningKeyError) {
      throw new SigningKeyError(`the signing key cannot be used: ${error.message}`, { cause: error });
    }
    if (!(error instanceof CertificateError)) throw error;
    throw new CertificateError(`the signing certificate ${file} cannot be used: ${error.message}`);
  }
}
