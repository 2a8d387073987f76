import { setTimeout as sleep } from 'node:timers/promises';
import { type PublicFetch, PublicFetchError, type PublicResponse } from '../../public-fetch/public-fetch.ts';

export interface GetLimits {
  /** The limit for all attempts together, until the last one's headers. */
  headersMs: number;
  /** The limit for the body after that. */
  bodyMs: number;
  signal: AbortSignal;
}

/** The result of one attempt: the caller's own answer, or `later` to try again. */
export type Attempted<Answer> = { kind: 'done'; answer: Answer } | { kind: 'later'; retryAfterMs: number | null };

/** The waits after attempt 1, 2, … if the source names none. */
const delaysMs = [500, 1000, 2000, 4000];

/**
 * Repeats a GET while the source is unreachable or `judge` returns `later`, as long as time is left. `judge` interprets
 * an answer, and reads or destroys its body. Returns null when the time is up.
 */
export async function patientGet<Answer>(
  publicFetch: PublicFetch,
  request: { url: string; headers: Record<string, string> },
  { headersMs, bodyMs, signal }: GetLimits,
  judge: (response: PublicResponse) => Promise<Attempted<Answer>>,
): Promise<Answer | null> {
  const endsAt = performance.now() + headersMs;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(endsAt - performance.now());
    if (outcome.kind === 'done') return outcome.answer;
    const delayMs = outcome.retryAfterMs ?? delaysMs[attempt];
    if (delayMs === undefined || attempt >= delaysMs.length || performance.now() + delayMs >= endsAt) return null;
    await sleep(delayMs, undefined, { signal });
  }

  async function attemptOnce(msLeft: number): Promise<Attempted<Answer>> {
    const headersLate = new AbortController();
    const timer = setTimeout(() => headersLate.abort(), msLeft);
    try {
      const stop = AbortSignal.any([signal, headersLate.signal]);
      const response = await publicFetch.fetch(
        { method: 'GET', ...request },
        { timeoutMs: msLeft + bodyMs, signal: stop },
      );
      clearTimeout(timer);
      return await judge(response);
    } catch (error) {
      if (!(error instanceof PublicFetchError) || signal.aborted || !passes(error)) throw error;
      return { kind: 'later', retryAfterMs: null };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether the failure may be temporary. A forbidden address stays forbidden. */
function passes({ kind }: PublicFetchError): boolean {
  return kind !== 'refused_url' && kind !== 'not_public';
}

/** Returns `Retry-After`, given in seconds or as a date, in milliseconds from now. */
export function retryAfterMs({ headers }: PublicResponse, now: Date): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
