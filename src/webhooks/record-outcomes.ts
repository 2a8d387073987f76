import { setTimeout as sleep } from 'node:timers/promises';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import { type Database, sqlState } from '../postgres/database.ts';
import { countShares } from './attempt-counts.ts';
import type { AnswerPace } from './delivery.ts';
import { noteHealth } from './endpoint-health.ts';
import { enqueueNotices } from './endpoint-notices.ts';
import { type Settlement, settleDeliveries } from './settle-deliveries.ts';

const batchMax = 200;
const retryMs = 1000;
/** The delay doubles with each refusal of an outcome, up to this. */
const refusedRetryMsMax = 10_000;

interface WaitingOutcome extends Settlement {
  recorded: () => void;
  /** How often the database refused it by itself. */
  refusals: number;
}

/**
 * Records outcomes in batches. Attempts that end while a batch is recorded are in the next one. The promise resolves when
 * the outcome is recorded, however long the database is away. An outcome that the database refuses waits alone. After the
 * lease another worker may deliver again. An attempt of `slowMs` or more is slow.
 */
export function createOutcomeRecorder(
  world: World,
  db: Database,
  queue: JobQueue,
  slowMs: number,
): (settlement: Settlement) => Promise<void> {
  const share = (world.random.bytes(1)[0] ?? 0) % countShares;
  let waiting: WaitingOutcome[] = [];
  let isRecording = false;
  let batchSize = batchMax;

  async function recordWaiting(): Promise<void> {
    if (isRecording) return;
    isRecording = true;
    while (waiting.length > 0) {
      const batch = nextBatch(waiting, batchSize);
      try {
        await recordOutcomes(world, db, queue, { slowMs, share }, batch);
        waiting = waiting.slice(batch.length);
        for (const { recorded } of batch) recorded();
        batchSize = Math.min(2 * batchSize, batchMax);
      } catch (error) {
        const [only, ...more] = batch;
        if (only !== undefined && more.length === 0 && isRefusal(error)) {
          const { id } = only.delivery;
          world.log.warn('the database refuses the outcome of a webhook delivery', { delivery_id: id, error });
          waiting = waiting.slice(1);
          setAside(only);
          continue;
        }
        world.log.warn('outcomes of webhook deliveries cannot be recorded yet', { error });
        // Halving finds an outcome that the database refuses.
        batchSize = Math.ceil(batch.length / 2);
        if (batch.length > 1) continue;
        waiting = [...waiting.slice(1), ...batch];
        await sleep(retryMs, undefined, { ref: false });
      }
    }
    isRecording = false;
  }

  function setAside(outcome: WaitingOutcome): void {
    const delayMs = Math.min(retryMs * 2 ** outcome.refusals, refusedRetryMsMax);
    setTimeout(() => add({ ...outcome, refusals: outcome.refusals + 1 }), delayMs).unref();
  }

  function add(outcome: WaitingOutcome): void {
    waiting.push(outcome);
    void recordWaiting();
  }

  return (settlement) => new Promise<void>((recorded) => add({ ...settlement, recorded, refusals: 0 }));
}

/** Returns the first outcomes of `waiting`. One that was refused before is a batch of its own. */
function nextBatch(waiting: readonly WaitingOutcome[], size: number): WaitingOutcome[] {
  const refused = waiting.findIndex(({ refusals }) => refusals > 0);
  return waiting.slice(0, refused === -1 ? size : Math.min(size, Math.max(refused, 1)));
}

/** Whether the database refuses the data (SQLSTATE class 22 or 23), so that other outcomes can still be recorded. */
function isRefusal(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '');
}

/**
 * Records a batch of outcomes and the health of their endpoints in one transaction. Enqueues notices to the owners of
 * endpoints that this pauses, and of those that have failed for a day.
 */
async function recordOutcomes(
  world: World,
  db: Database,
  queue: JobQueue,
  { slowMs, share }: { slowMs: number; share: number },
  batch: readonly Settlement[],
): Promise<void> {
  const now = world.clock.now();
  const ailing = await db.transaction(async (tx) => {
    const recorded = await settleDeliveries(tx, batch, now, share);
    const counted = batch.filter(({ delivery, next }) => recorded.has(delivery.id) && next.kind !== 'postponed');
    const { failed, recovered } = healthOf(counted);
    const ailingNow = await noteHealth(tx, failed, recovered, changedPaces(counted, slowMs), now);
    for (const endpoint of ailingNow) await enqueueNotices(world, tx, queue, endpoint);
    return ailingNow;
  });
  for (const { id, failing_since, state } of ailing) {
    if (state === 'failing') continue;
    world.log.warn('a webhook endpoint was paused: it failed for days', { endpoint_id: id, failing_since });
  }
}

/** Returns the endpoints that failed or recovered. One success in a batch outweighs its failures. */
function healthOf(batch: readonly Settlement[]): { failed: Set<string>; recovered: Set<string> } {
  const failed = new Set<string>();
  const recovered = new Set<string>();
  const accepted = new Set<string>();
  for (const { delivery, next } of batch) {
    if (next.kind === 'delivered') {
      accepted.add(delivery.endpoint_id);
      if (delivery.failing) recovered.add(delivery.endpoint_id);
    } else {
      failed.add(delivery.endpoint_id);
    }
  }
  for (const id of accepted) failed.delete(id);
  return { failed, recovered };
}

/** Returns the endpoints whose pace has changed since the claim. One prompt answer in a batch outweighs slow ones. */
function changedPaces(batch: readonly Settlement[], slowMs: number): Map<string, AnswerPace> {
  const before = new Map(batch.map(({ delivery }) => [delivery.endpoint_id, delivery.answers]));
  const paces = new Map<string, AnswerPace>(batch.map(({ delivery }) => [delivery.endpoint_id, 'slowly']));
  for (const { delivery, attempt } of batch) {
    if (attempt.durationMs < slowMs) paces.set(delivery.endpoint_id, 'promptly');
  }
  for (const [id, pace] of before) if (paces.get(id) === pace) paces.delete(id);
  return paces;
}
