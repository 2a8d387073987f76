import type { JobQueue } from '../messages/job-queue.ts';
import { type ClaimedStream, claimStreams, type StreamLane } from './claim-streams.ts';
import { readBatch } from './read-batch.ts';
import { recordFailure, recordHidden, recordSent, releaseStream } from './record-outcome.ts';
import { sendBatch } from './send-batch.ts';
import type { SendOutcome } from './sending.ts';
import type { StreamKind } from './stream.ts';
import type { StreamDeps } from './stream-deps.ts';

export interface StreamRunner {
  /** Claims streams that have entries, and begins to send them. Does not wait for them. */
  startDue(): Promise<void>;
  /** Aborts what is being sent, and waits until it is given back. */
  stop(): Promise<void>;
}

interface RunnerDeps extends StreamDeps {
  queue: JobQueue;
  onBatch: (kind: StreamKind, outcome: SendOutcome['kind']) => void;
}

/** How many streams a worker sends at once. Bounds the memory, as batches are bounded. */
const slots: Record<StreamLane, number> = { sending: 16, failing: 8 };
/** After this many batches of one stream, others get its slot. */
const batchesMax = 10;
/** After a batch that took longer, others get its slot, so that slow destinations rarely delay fast ones. */
const slowMs = 2000;
/** Grace period after the time limit of a batch before another worker may send it again. */
const leaseGraceMs = 20_000;

/** Sends the entries that wait for streams: batch by batch, with no transaction open. Any number of workers may run. */
export function createStreamRunner(deps: RunnerDeps): StreamRunner {
  const { world, db } = deps;
  const stopping = new AbortController();
  const running: Record<StreamLane, Set<Promise<void>>> = { sending: new Set(), failing: new Set() };
  const leaseEnd = () => new Date(world.clock.now().getTime() + deps.timeoutMs + leaseGraceMs);

  async function startLane(lane: StreamLane): Promise<void> {
    const limit = slots[lane] - running[lane].size;
    if (limit <= 0 || stopping.signal.aborted) return;
    for (const claimed of await claimStreams(world, db, { lane, limit, leasedUntil: leaseEnd() })) {
      const sending = sendStream(claimed)
        // The lease ends, and then the stream is claimed again.
        .catch((error) => world.log.warn('an audit log is not streamed', { account_id: claimed.account_id, error }))
        .finally(() => running[lane].delete(sending));
      running[lane].add(sending);
    }
  }

  async function sendStream(claimed: ClaimedStream): Promise<void> {
    let { failures } = claimed;
    for (let batches = 1; ; batches++) {
      const batch = await readBatch(db, { ...claimed, failures }, world.clock.now()).catch((error) => {
        world.log.warn('entries of an audit log cannot be read', { account_id: claimed.account_id, error });
        return null;
      });
      if (batch === null)
        return recordFailure(world, db, deps.queue, claimed, 'the service could not read the entries');
      if (batch.entries.length === 0) return recordHidden(db, claimed, batch);
      const startedAt = performance.now();
      const outcome = await sendBatch(deps, claimed, { type: 'entries', entries: batch.entries }, stopping.signal);
      deps.onBatch(claimed.kind, outcome.kind);
      switch (outcome.kind) {
        case 'sent': {
          const isSlow = performance.now() - startedAt > slowMs;
          const goesOn = batch.hasMore && batches < batchesMax && !isSlow && !stopping.signal.aborted;
          const isHeld = await recordSent(world, db, claimed, batch, goesOn ? leaseEnd() : null);
          if (!goesOn || !isHeld) return;
          failures = 0;
          break;
        }
        case 'failed':
          return recordFailure(world, db, deps.queue, claimed, outcome.reason);
        case 'aborted':
          return releaseStream(db, claimed);
      }
    }
  }

  return {
    async startDue() {
      await Promise.all([startLane('sending'), startLane('failing')]);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...running.sending, ...running.failing]);
    },
  };
}
