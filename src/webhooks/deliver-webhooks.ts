import { setTimeout as sleep } from 'node:timers/promises';
import type { JobQueue } from '../messages/job-queue.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { inSpan } from '../platform/tracing/spans.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { listen } from '../postgres/listen.ts';
import type { PublicFetch } from '../public-fetch/public-fetch.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { handBackDeliveries } from './hand-back-deliveries.ts';
import { createOutcomeRecorder } from './record-outcomes.ts';
import { type NextStep, nextStep } from './retry-schedule.ts';
import { createSendingSlots, type Lane, lanes } from './sending-slots.ts';
import { createSignal } from './signal.ts';
import { createSigningKeys } from './signing-keys.ts';
import { deliveriesChannel } from './wake.ts';

export interface WebhookDelivery {
  db: Database;
  /** Runs with `synchronous_commit = off`. A claim lost in a crash is claimed again. */
  claims: Queryable;
  /** For notifications, which need a session. */
  databaseDirectUrl: string;
  secretBox: SecretBox;
  publicFetch: PublicFetch;
  queue: JobQueue;
  /** Time limit of one attempt: DNS, connection and response together. */
  timeoutMs: number;
  /** The delay after failure 1, 2, …. After one more failure the delivery is dead. */
  retryDelaysSeconds: readonly number[];
  /** Called after each attempt, for the metrics. */
  onAttempt: (outcome: NextStep['kind']) => void;
  /** Called with the seconds from the recording of an event to its first request. */
  onFirstSend: (seconds: number) => void;
}

/** An attempt is slow when it takes longer than this, or than half the time limit. */
const slowMsMax = 2000;

/** Grace period after the time limit of an attempt before another worker may claim the delivery. */
const leaseGraceMs = 20_000;
/** NOTIFY wakes the loop. Polling finds due retries, expired leases and lost notifications. */
const pollMs = 1000;
/** A claim that took long because the database was away does not delay the next one by as long. */
const restMsMax = 250;
/** Pause after the database or the network of this machine failed, instead of trying every due delivery. */
const pauseAfterFaultMs = 1000;
/** Part of the time for a stop that is kept for handing back deliveries under way. */
const handBackMs = 1500;

/**
 * Delivers webhooks until it is stopped. Claims due deliveries (SKIP LOCKED, under a lease), sends each with no transaction
 * open, and records outcomes in batches. Any number of workers may run on one database.
 */
export function startWebhookDelivery(world: World, delivery: WebhookDelivery): { stop(msLeft: number): Promise<void> } {
  const { db, publicFetch, timeoutMs } = delivery;
  const signals = lanes.map((lane) => ({ lane, signal: createSignal() }));
  const raiseAll = () => {
    for (const { signal } of signals) signal.raise();
  };
  const listener = listen(delivery.databaseDirectUrl, [deliveriesChannel], world.log, raiseAll);
  const aborting = new AbortController();
  const slots = createSendingSlots(raiseAll);
  const attempts = new Set<Promise<void>>();
  const handedBack: ClaimedDelivery[] = [];
  const deps = { publicFetch, signingKey: createSigningKeys(delivery.secretBox), timeoutMs };
  const record = createOutcomeRecorder(world, db, delivery.queue, Math.min(slowMsMax, timeoutMs / 2));
  let stopping = false;
  let heldUntil = 0;

  /** Claims for one lane. Each lane walks over its own endpoints, so none waits for the slots of another. */
  async function claimWhileRunning({ lane, signal }: (typeof signals)[number]): Promise<void> {
    let after = '';
    while (!stopping) {
      const free = slots.free(lane);
      const held = heldUntil - performance.now();
      if (free <= 0 || held > 0) {
        await signal.wait(Math.max(held, 0) || pollMs);
        continue;
      }
      const startedAt = performance.now();
      const claim = await claimSome(lane, free, after);
      for (const claimed of claim.deliveries) start(claimed);
      after = claim.endedAt;
      const tookMs = performance.now() - startedAt;
      const rested = sleep(Math.max(lane.claimPaceMs - tookMs, Math.min(lane.restFactor * tookMs, restMsMax)));
      if (after === '') await signal.wait(Math.min(claim.againMs ?? pollMs, pollMs));
      await rested;
    }
  }

  async function claimSome(lane: Lane, free: number, after: string) {
    const now = world.clock.now();
    try {
      return await claimDeliveries(delivery.claims, {
        now,
        leaseId: world.newId(),
        leasedUntil: new Date(now.getTime() + timeoutMs + leaseGraceMs),
        answers: lane.answers,
        limit: Math.min(lane.claimMax, free > lane.slotsReserved ? free - lane.slotsReserved : free),
        perEndpoint: free > lane.slotsReserved ? lane.perEndpoint : 1,
        perFailingEndpoint: lane.perFailingEndpoint,
        underWay: slots.underWay,
        after,
      });
    } catch (error) {
      world.log.warn('webhook deliveries cannot be claimed', { error });
      heldUntil = performance.now() + pauseAfterFaultMs;
      return { deliveries: [], endedAt: '', againMs: null };
    }
  }

  function start(claimed: ClaimedDelivery): void {
    const giveBack = slots.take(claimed);
    const attempt = deliver(claimed).finally(() => {
      attempts.delete(attempt);
      giveBack();
    });
    attempts.add(attempt);
  }

  /** Returns when the outcome is recorded. Until then the delivery counts as under way. */
  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const { attempt, verdict } = await inSpan(
      'deliver-webhook',
      {
        kind: 'client',
        parent: claimed.traceparent,
        attributes: { 'countersign.event_type': claimed.event_type, 'countersign.delivery_id': claimed.id },
      },
      () => attemptDelivery(world, deps, claimed, aborting.signal),
    );
    if (aborting.signal.aborted && verdict !== 'acknowledged') {
      handedBack.push(claimed);
      return;
    }
    const next = nextStep(verdict, claimed.failures, delivery.retryDelaysSeconds, world.clock.now());
    delivery.onAttempt(next.kind);
    if (verdict === 'not_tried') {
      heldUntil = performance.now() + pauseAfterFaultMs;
      world.log.warn('webhooks cannot be sent from here', { cause: attempt.error });
    }
    if (next.kind !== 'postponed' && claimed.is_first) {
      delivery.onFirstSend((attempt.at.getTime() - Date.parse(claimed.event_created_at)) / 1000);
    }
    await record({ delivery: claimed, attempt, next });
  }

  const claiming = Promise.all(signals.map(claimWhileRunning));
  return {
    async stop(msLeft) {
      const end = performance.now() + msLeft;
      stopping = true;
      raiseAll();
      await claiming;
      await listener.stop();
      const ended = Promise.all(attempts);
      await Promise.race([ended, sleep(Math.max(end - performance.now() - handBackMs, 0))]);
      aborting.abort();
      await Promise.race([ended, sleep(handBackMs / 2)]);
      await handBackDeliveries(db.within(handBackMs / 2), handedBack).catch((error) => {
        world.log.warn('webhook deliveries under way will be claimed again when their lease ends', { error });
      });
      await publicFetch.close();
    },
  };
}
