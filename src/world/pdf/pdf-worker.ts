import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../errors.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type SigningKey, SigningKeyError } from '../signing-key/signing-key.ts';
import { CertificateError } from './certificate/certificate-error.ts';
import type { CertificateSummary } from './certificate/signing-certificate-rules.ts';
import { rememberCertificate } from './certificates-used.ts';
import type { CertificateFile, Job, JobResult, SealedPdf, SealFiles } from './process/messages.ts';
import { createProcessPool } from './process/process-pool.ts';
import type { SealInput } from './seal-input.ts';
import type { SigningCertificateFile } from './signing-certificate.ts';

/** Makes sealed PDFs, in child processes with limits on time and memory. */
export interface PdfWorker {
  /**
   * Writes the sealed PDF of a completed document. Throws a `PdfWorkerError`, a `CertificateError` once that has
   * expired, a `SigningKeyError` when the key can't be used, or a `ChangedPageError` when a page of the attached file would no longer show what was signed.
   */
  seal(input: SealInput, files: SealFiles): Promise<SealedPdf>;
  /** Signs a test page. Throws an `OperatorError` with one line that says why the certificate cannot be used. */
  checkCertificate(): Promise<CertificateSummary>;
  close(): Promise<void>;
}

export interface PdfWorkerOptions {
  /** Read again for every job, so that a renewed certificate is used without a restart. */
  certificate: SigningCertificateFile;
  /** The key, where `certificate` holds certificates only. */
  signingKey?: SigningKey | null;
  /** Where every certificate that seals is kept, so that what it sealed is recognised after it was renewed. */
  certificatesDir?: string;
  /** Of an RFC 3161 time-stamp authority. When set, nothing is sealed without its stamp. */
  tsaUrl: string | null;
  /** May reach the network, for time-stamps and what authorities say of certificates. Default: yes. */
  network?: boolean;
  processes: number;
  /** Of one document. */
  timeoutMs: number;
  /** Of one process. */
  memoryMaxBytes: number;
  log: Log;
  clock?: Clock;
  /** How long a process without work is kept. */
  idleMs?: number;
}

const entry = fileURLToPath(new URL('./process/main.ts', import.meta.url));
const queueMax = 100;
const jobsMax = 200;
const idleMsDefault = 30_000;
/** Both belong to the check at the start, which has one line to say what is wrong. */
const unlogged = ['check', 'certificate'];

export function createPdfWorker(options: PdfWorkerOptions): PdfWorker {
  const { certificate, certificatesDir, tsaUrl, clock = systemClock, network = true, signingKey = null } = options;
  const idleMs = options.idleMs ?? idleMsDefault;
  const pool = createProcessPool<Job, JobResult>({
    ...options,
    network,
    name: 'seal',
    entry,
    queueMax,
    jobsMax,
    idleMs,
    unlogged,
  });
  let remembered: CertificateFile | undefined;

  /** A certificate is kept before it seals anything; the file is looked into only when it is another than last time. */
  async function readRemembered(): Promise<CertificateFile> {
    const file = await readCertificate(certificate, signingKey === null);
    const isKept = remembered !== undefined && Buffer.from(file.bytes).equals(remembered.bytes);
    if (certificatesDir !== undefined && !isKept) {
      const der = await pool.run<'certificate'>({ kind: 'certificate', certificate: file });
      await rememberCertificate(certificatesDir, der);
      remembered = file;
    }
    return file;
  }

  return {
    seal: (input, files) =>
      explained(certificate.file, async () => {
        return pool.run<'seal'>({ kind: 'seal', input, ...files, certificate: await readRemembered(), tsaUrl });
      }),
    async checkCertificate() {
      try {
        return await explained(certificate.file, async () => {
          return pool.run<'check'>({
            kind: 'check',
            certificate: await readRemembered(),
            now: clock.now(),
          });
        });
      } catch (error) {
        const isOperators = error instanceof CertificateError || error instanceof SigningKeyError;
        throw isOperators ? new OperatorError(error.message, { cause: error }) : error;
      }
    },
    close: () => pool.close(),
  };
}

async function readCertificate(
  { file, password }: SigningCertificateFile,
  holdsKey: boolean,
): Promise<CertificateFile> {
  try {
    return { bytes: await readFile(file), password: holdsKey ? password : null };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new CertificateError('the file does not exist');
    throw new CertificateError(`the file cannot be read (${code})`);
  }
}

/** The process knows what is wrong with a certificate, but not where it came from. */
async function explained<T>(file: string, work: () => Promise<T>): Promise<T> {
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
