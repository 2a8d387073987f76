import { setMaxListeners } from 'node:events';
import { PublicFetchError } from './public-fetch-error.ts';

/** The time limit of a whole call. It knows the current step and aborts it when the time has passed. */
export interface Deadline {
  remainingMs(): number;
  /**
   * Sets the current step and how to abort it. `what` completes "it took longer than 10000 ms …". `cut` replaces the
   * previous one and is called at once if the time has already passed.
   */
  waitFor(what: string, cut: (failure: PublicFetchError) => void): void;
  /** The failure, once the time has passed or the call was aborted. */
  readonly passed: PublicFetchError | null;
  /** Ends the call. Nothing is aborted after this. */
  end(): void;
}

export interface Deadlines {
  start(timeoutMs: number, signal?: AbortSignal): Deadline;
  /** Aborts all calls. */
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
      const abort = () => pass(new PublicFetchError('aborted', 'the call was aborted'));
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
        setMaxListeners(0, signal); // one signal may abort any number of calls
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
