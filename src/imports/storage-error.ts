import { setTimeout as sleep } from 'node:timers/promises';
import { PdfWorkerError } from '../pdf/process/pdf-worker-error.ts';
import { FileStoreError } from '../platform/files-error.ts';

/** Our own store or disk failed. Neither the file nor its source is at fault. */
export class StorageError extends Error {
  constructor(cause: unknown) {
    super('the file could not be stored', { cause });
    this.name = 'StorageError';
  }
}

/** System errors of the disk: full, over quota, read-only, broken, or without its directory. */
const diskFaults = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
]);

/** Waits for a step that uses the store or the disk, and turns their failures into `StorageError`. */
export async function asStorageError<Result>(step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const isDisk = diskFaults.has(code) && 'syscall' in (error as object);
    throw isDisk || error instanceof FileStoreError ? new StorageError(error) : error;
  }
}

/** Whether the service itself can't take the file for now: the store or disk failed, or too many PDFs wait to be inspected. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof StorageError || (error instanceof PdfWorkerError && error.failure === 'busy');
}

const delaysMs = [250, 500, 1000, 2000, 4000];

/**
 * Returns a function that retries attempts that fail because the service is unavailable. All its calls share one time limit: `msMax`
 * milliseconds from the first failure.
 */
export function createStorageRetry(
  msMax: number,
  signal: AbortSignal,
): <Result>(attempt: () => Promise<Result>) => Promise<Result> {
  let endsAt: number | null = null;
  return async (attempt) => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        endsAt ??= performance.now() + msMax;
        const delayMs = delaysMs[Math.min(failures, delaysMs.length - 1)] as number;
        if (performance.now() + delayMs > endsAt) throw error;
        await sleep(delayMs, undefined, { signal });
      }
    }
  };
}
