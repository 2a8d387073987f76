import { ApiError, ConnectionError } from './errors.ts';

interface RetrySettings {
  /** Wait time before the first retry without `Retry-After`. It doubles with each further one. */
  retryBaseMs: number;
  /** Longest wait time. A longer `Retry-After` is not waited for. */
  retryDelayMaxMs: number;
}

/** 500 and 502 are the API's. 503 and 504 come from a gateway in between. */
const retriedStatuses = [429, 500, 502, 503, 504];

/**
 * How long to wait before the next attempt. Null when the error is final: every other 4xx, a redirect, a wrong argument.
 * All writes carry an idempotency key, so a repetition never writes twice.
 */
export function retryDelayMs(error: unknown, attempt: number, settings: RetrySettings): number | null {
  const backoffMs = Math.min(settings.retryBaseMs * 2 ** (attempt - 1), settings.retryDelayMaxMs);
  // From half of it to all of it, so that clients that failed together don't return together.
  const jitteredMs = backoffMs * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return jitteredMs;
  if (!(error instanceof ApiError)) return null;
  // The first request with this key still runs: its answer is replayed soon.
  if (error.code !== 'idempotency_in_progress' && !retriedStatuses.includes(error.status)) return null;
  if (error.retryAfterSeconds === null) return jitteredMs;
  const askedMs = error.retryAfterSeconds * 1000;
  return askedMs > settings.retryDelayMaxMs ? null : Math.max(askedMs, 1);
}

/** Waits. Throws the reason of `signal` when it aborts first. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let abort = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, ms);
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
