/**
 * - `failed`: the job itself threw.
 * - `timeout`, `memory`: the process was killed for taking too much.
 * - `crashed`: it ended without an answer.
 * - `busy`: too many jobs are waiting.
 * - `closed`: the pool is shut, or shut down while the job waited or ran.
 */
export type PdfWorkerFailure = 'failed' | 'timeout' | 'memory' | 'crashed' | 'busy' | 'closed';

/** Why a PDF was not made. Only this job is concerned: the next one runs in a process of its own if need be. */
export class PdfWorkerError extends Error {
  readonly failure: PdfWorkerFailure;

  constructor(failure: PdfWorkerFailure, message: string) {
    super(message);
    this.name = 'PdfWorkerError';
    this.failure = failure;
  }
}

/** A process that had been idle was gone before it took the job, which another can still do. */
export class ProcessGoneError extends Error {}
