import { setMaxListeners } from 'node:events';
import { PublicFetchError } from './public-fetch-error.ts';

/** The one limit over everything a call does: it is told what is being waited for, and cuts it when time is up. */
export interface Deadline {
  remainingMs(): number;
  /**
   * `what` ends the sentence "it took longer than 10000 ms …". `cut` takes the place of the one before, and is called at
   * once when time is up already.
   */
  waitFor(what: string, cut: (failure: PublicFetchError) => void): void;
  /** The failure, once time is up or the call was given up. */
  readonly passed: PublicFetchError | null;
  /** The call is over: nothing is cut any more. */
  end(): void;
}

export interface Deadlines {
  start(timeoutMs: number, signal?: AbortSignal): Deadline;
  /** Every call under way is given up. */
  abortAll(): void;
}

export function createDeadlines(): Deadlines {
  const aborts = new Set<() => void>();

  return {
    start(timeoutMs, signal) {
      const endsAt = performance.now() + timeoutMs;
      let awaited = 'to begin';
      let cutAwaited: ((failure: PublicFetchError) => void) | null = null;
      let passed: PublicFetchError | null = null;

      const pass = (failure: PublicFetchError) => {
        end();
        passed = failure;
        cutAwaited?.(failure);
      };
      const abort = () => pass(new PublicFetchError('aborted', 'the call was given up'));
      const end = () => {
        clearTimeout(timer);
        aborts.delete(abort);
        signal?.removeEventListener('abort', abort);
      };
      const timer = setTimeout(
        () => pass(new PublicFetchError('timeout', `it took longer than ${timeoutMs} ms ${awaited}`)),
        timeoutMs,
      );
      aborts.add(abort);
      if (signal !== undefined) {
        setMaxListeners(0, signal); // one signal may stop any number of calls
        signal.addEventListener('abort', abort);
        if (signal.aborted) abort();
      }

      return {
        remainingMs: () => Math.max(0, endsAt - performance.now()),
        waitFor(what, cut) {
          awaited = what;
          cutAwaited = cut;
          if (passed !== null) cut(passed);
        },
        get passed() {
          return passed;
        },
        end,
      };
    },
    abortAll() {
      for (const abort of [...aborts]) abort();
    },
  };
}
