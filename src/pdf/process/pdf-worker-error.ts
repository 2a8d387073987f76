/**
 * Why a PDF job failed.
 * - `failed`: the job threw an error.
 * - `timeout`, `memory`: the process exceeded a limit and was killed.
 * - `crashed`: the process ended without an answer.
 * - `busy`: too many jobs are waiting.
 * - `closed`: the pool is closed, or was closed while the job waited or ran.
 */
export type PdfWorkerFailure = 'failed' | 'timeout' | 'memory' | 'crashed' | 'busy' | 'closed';

/** A PDF job failed. Other jobs are not affected. */
export class PdfWorkerError extends Error {
  readonly failure: PdfWorkerFailure;

  constructor(failure: PdfWorkerFailure, message: string) {
    super(message);
    this.name = 'PdfWorkerError';
    this.failure = failure;
  }
}

/** An idle process ended before it accepted the job. Another process can run the job. */
export class ProcessGoneError extends Error {}
