import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../errors.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { CertificateError } from './certificate/certificate-error.ts';
import type { CertificateSummary } from './certificate/signing-identity.ts';
import type { CertificateFile } from './process/messages.ts';
import { createProcessPool } from './process/process-pool.ts';
import type { SealInput } from './seal-input.ts';
import type { SigningCertificateFile } from './signing-certificate.ts';

/** Makes sealed PDFs, in child processes with limits on time and memory. */
export interface PdfWorker {
  /** The sealed PDF of a completed document. Throws a `PdfWorkerError`, or a `CertificateError` once that has expired. */
  seal(input: SealInput): Promise<Uint8Array>;
  /** Signs a test page. Throws an `OperatorError` with one line that says why the certificate cannot be used. */
  checkCertificate(): Promise<CertificateSummary>;
  close(): Promise<void>;
}

export interface PdfWorkerOptions {
  /** Read again for every job, so that a renewed certificate is used without a restart. */
  certificate: SigningCertificateFile;
  /** Of an RFC 3161 time-stamp authority. When set, nothing is sealed without its stamp. */
  tsaUrl: string | null;
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

const queueMax = 100;
const jobsMax = 200;
const idleMsDefault = 30_000;

export function createPdfWorker(options: PdfWorkerOptions): PdfWorker {
  const { certificate, tsaUrl, clock = systemClock } = options;
  const pool = createProcessPool({ ...options, queueMax, jobsMax, idleMs: options.idleMs ?? idleMsDefault });

  return {
    seal: (input) =>
      explained(certificate.file, async () => {
        return pool.run<'seal'>({ kind: 'seal', input, certificate: await readCertificate(certificate), tsaUrl });
      }),
    async checkCertificate() {
      try {
        return await explained(certificate.file, async () => {
          return pool.run<'check'>({
            kind: 'check',
            certificate: await readCertificate(certificate),
            now: clock.now(),
          });
        });
      } catch (error) {
        throw error instanceof CertificateError ? new OperatorError(error.message, { cause: error }) : error;
      }
    },
    close: () => pool.close(),
  };
}

async function readCertificate({ file, password }: SigningCertificateFile): Promise<CertificateFile> {
  try {
    return { bytes: await readFile(file), password };
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
    if (!(error instanceof CertificateError)) throw error;
    throw new CertificateError(`the signing certificate ${file} cannot be used: ${error.message}`);
  }
}
