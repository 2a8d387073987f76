import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimedEnvelope } from './claim-envelopes.ts';

export interface EnvelopeTask {
  claimed: ClaimedEnvelope;
  /** The failed attempts that were this envelope's own fault. */
  attempts: number;
}

/** The envelopes of a vendor import that aren't imported yet. Only the next ones are held in memory. */
export interface EnvelopeQueue {
  /** Waits for an envelope that is listed or due again. Returns null when none is left and the list is complete. */
  next(): Promise<EnvelopeTask | null>;
  putOff(task: EnvelopeTask, ms: number): void;
  /** Queues the task behind all others. */
  putLast(task: EnvelopeTask): void;
  /** Call when more envelopes were listed. */
  listedMore(): void;
  /** Call when the list is complete. */
  complete(): void;
}

/** `claim` returns the next listed envelopes, or an empty list while there are none. */
export function createEnvelopeQueue(claim: () => Promise<ClaimedEnvelope[]>, signal: AbortSignal): EnvelopeQueue {
  const ready: EnvelopeTask[] = [];
  const later: Array<{ task: EnvelopeTask; dueAt: number }> = [];
  const last: EnvelopeTask[] = [];
  let growths = 1;
  let growthsSeen = 0;
  let isComplete = false;
  let claiming: Promise<void> | null = null;
  let change = Promise.withResolvers<void>();

  function changed(): void {
    change.resolve();
    change = Promise.withResolvers<void>();
  }

  async function claimMore(): Promise<void> {
    const growthsBefore = growths;
    const claimed = await claim();
    ready.push(...claimed.map((one) => ({ claimed: one, attempts: 0 })));
    if (claimed.length === 0) growthsSeen = growthsBefore;
  }

  function takeDue(): EnvelopeTask | null {
    const index = later.findIndex(({ dueAt }) => dueAt <= performance.now());
    return index === -1 ? null : (later.splice(index, 1)[0]?.task ?? null);
  }

  return {
    async next() {
      for (;;) {
        signal.throwIfAborted();
        const task = takeDue() ?? ready.shift();
        if (task !== undefined) return task;
        if (growthsSeen < growths) {
          claiming ??= claimMore().finally(() => {
            claiming = null;
          });
          await claiming;
        } else if (last.length > 0) return last.shift() as EnvelopeTask;
        else if (isComplete && later.length === 0) return null;
        else await waitFor(change.promise, Math.min(...later.map(({ dueAt }) => dueAt)) - performance.now(), signal);
      }
    },
    putOff(task, ms) {
      later.push({ task, dueAt: performance.now() + ms });
      changed();
    },
    putLast(task) {
      last.push(task);
      changed();
    },
    listedMore() {
      growths += 1;
      changed();
    },
    complete() {
      isComplete = true;
      changed();
    },
  };
}

/** Waits for `change` or for `ms` milliseconds, whichever comes first. `ms` may be infinite. */
async function waitFor(change: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const time = sleep(Math.min(Math.max(ms, 0), 60_000), undefined, { signal: stop });
  time.catch(() => {});
  await Promise.race([change, time]).finally(() => over.abort());
}
