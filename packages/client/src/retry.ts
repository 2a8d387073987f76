import { ApiError, ConnectionError } from './errors.ts';

export interface RetrySettings {
  /** Wait time before the first retry, on top of a `Retry-After`. It doubles with each further one. */
  retryBaseMs: number;
  /** Longest `Retry-After` that is waited for, and longest wait on top of it. */
  retryDelayMaxMs: number;
  /** Longest wait for an earlier request with the same idempotency key. */
  inProgressWaitMaxMs: number;
}

const pollDelayMaxMs = 5000;

/** 500 and 502 are the API's. 503 and 504 come from a gateway in between. */
const retriedStatuses = [429, 500, 502, 503, 504];

/**
 * Decides on the retries of one call. The returned function takes the error of each attempt and returns how long to wait before
 * the next one, in milliseconds, or null when the error is final. All writes carry an idempotency key, so a repetition never
 * writes twice.
 */
export function createRetries(settings: RetrySettings, retriesMax: number): (error: unknown) => number | null {
  let failures = 0;
  let polls = 0;
  let pollingEndsAt: number | null = null;

  function pollDelayMs(error: ApiError): number | null {
    const now = performance.now();
    pollingEndsAt ??= now + settings.inProgressWaitMaxMs;
    polls += 1;
    const leftMs = pollingEndsAt - now;
    const backoff = backoffMs(Math.max(settings.retryBaseMs, 1), polls, pollDelayMaxMs);
    const afterMs = retryAfterMs(error, settings);
    return afterMs === null || leftMs <= 0 ? null : Math.min(Math.max(afterMs, backoff), leftMs);
  }

  return (error) => {
    // An earlier request with this key still runs. Its answer is replayed when it is done, so this is no failure.
    if (isInProgress(error) && retriesMax > 0) return pollDelayMs(error);
    failures += 1;
    if (failures > retriesMax || !mayPass(error)) return null;
    const afterMs = retryAfterMs(error, settings);
    if (afterMs === null) return null;
    // The server names the same time to everyone, and each time. So waits still grow, and clients don't return together.
    const backoff = backoffMs(settings.retryBaseMs, failures, settings.retryDelayMaxMs);
    return afterMs + backoff;
  };
}

function isInProgress(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'idempotency_in_progress';
}

/** Returns false for every other 4xx, a redirect and a wrong argument. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return retriedStatuses.includes(error.status);
  return error instanceof ConnectionError;
}

function backoffMs(baseMs: number, retry: number, maxMs: number): number {
  // From half of it to all of it, so that clients that failed together don't return together.
  return Math.min(baseMs * 2 ** (retry - 1), maxMs) * (0.5 + Math.random() / 2);
}

/** Returns `Retry-After`, or 0 when the server did not send it. Null when the server asks for too long. */
function retryAfterMs(error: unknown, { retryDelayMaxMs }: RetrySettings): number | null {
  const ms = (error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0) * 1000;
  return ms > retryDelayMaxMs ? null : ms;
}

/** The longest time that timers take. They fire at once after a longer one. */
export const timerMsMax = 2_147_483_647;

/** Waits. Throws the reason of `signal` when it aborts first. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let abort = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, Math.min(ms, timerMsMax));
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
