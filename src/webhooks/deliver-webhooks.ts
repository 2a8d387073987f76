import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../postgres/database.ts';
import { listen } from '../postgres/listen.ts';
import type { PublicFetch } from '../world/public-fetch.ts';
import type { SecretBox } from '../world/secret-box.ts';
import type { World } from '../world/world.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { handBackDeliveries } from './hand-back-deliveries.ts';
import { createOutcomeRecorder } from './record-outcomes.ts';
import { type NextStep, nextStep } from './retry-schedule.ts';
import { createSignal } from './signal.ts';
import { createSigningKeys } from './signing-keys.ts';
import type { NoticeQueue } from './tell-owners.ts';
import { deliveriesChannel } from './wake.ts';

export interface WebhookDelivery {
  db: Database;
  /** Claims need not wait for the disk: one that is lost in a power cut is made again, as after any crash. */
  claims: Queryable;
  databaseUrl: string;
  secretBox: SecretBox;
  publicFetch: PublicFetch;
  queue: NoticeQueue;
  /** Over everything: look-up, connection, answer. */
  timeoutMs: number;
  /** The wait after failure 1, 2, …; one failure more and the delivery is dead. */
  retryDelaysSeconds: readonly number[];
  /** Told of each attempt, for the metrics. */
  onAttempt: (outcome: NextStep['kind']) => void;
  /** Seconds from recording an event to the first request that tells of it. */
  onFirstSend: (seconds: number) => void;
}

/** Deliveries under way at once. The last of them are only for endpoints that have none yet. */
const slotsMax = 512;
const slotsReserved = 128;
/** What one endpoint may have of them: a slow one takes no more, however much it is owed. */
const perEndpointMax = 32;
const perFailingEndpointMax = 2;

/** A worker that died is succeeded this long after the last of its attempts must have ended. */
const leaseGraceMs = 20_000;
/** NOTIFY wakes the loop; this is for retries that become due, leases that run out and notifications that got lost. */
const pollMs = 1000;
/** Between two claims: under load each then takes a batch, and costs the database a tenth. An idle worker claims at once. */
const claimPaceMs = 5;
/** After the database or our own network failed: rather than try everything that is due at once. */
const pauseAfterFaultMs = 1000;
/** Of a stop, for handing back what is still under way. */
const handBackMs = 1500;

/**
 * Delivers webhooks until it is stopped: claims what is due (SKIP LOCKED, under a lease), sends each with no transaction
 * open, and records outcomes in batches. Any number of workers may run on one database.
 */
export function startWebhookDelivery(world: World, delivery: WebhookDelivery): { stop(msLeft: number): Promise<void> } {
  const { db, publicFetch, timeoutMs } = delivery;
  const signal = createSignal();
  const listener = listen(delivery.databaseUrl, deliveriesChannel, world.log, signal.raise);
  const aborting = new AbortController();
  const underWay = new Map<string, number>();
  const attempts = new Set<Promise<void>>();
  const handedBack: ClaimedDelivery[] = [];
  const means = { publicFetch, signingKey: createSigningKeys(delivery.secretBox), timeoutMs };
  const record = createOutcomeRecorder(world, db, delivery.queue);
  let stopping = false;
  let heldUntil = 0;

  async function claimWhileRunning(): Promise<void> {
    let after = '';
    while (!stopping) {
      const free = slotsMax - attempts.size;
      const held = heldUntil - performance.now();
      if (free <= 0 || held > 0) {
        await signal.wait(Math.max(held, 0) || pollMs);
        continue;
      }
      const paced = sleep(claimPaceMs);
      const claim = await claimSome(free, after);
      for (const claimed of claim.deliveries) start(claimed);
      after = claim.endedAt;
      if (after === '') await signal.wait(pollMs);
      await paced;
    }
  }

  async function claimSome(free: number, after: string) {
    const now = world.clock.now();
    try {
      return await claimDeliveries(delivery.claims, {
        now,
        leaseId: world.newId(),
        leasedUntil: new Date(now.getTime() + timeoutMs + leaseGraceMs),
        limit: free > slotsReserved ? free - slotsReserved : free,
        perEndpoint: free > slotsReserved ? perEndpointMax : 1,
        perFailingEndpoint: perFailingEndpointMax,
        underWay,
        after,
      });
    } catch (error) {
      world.log.warn('webhook deliveries cannot be claimed', { error });
      heldUntil = performance.now() + pauseAfterFaultMs;
      return { deliveries: [], endedAt: '' };
    }
  }

  function start(claimed: ClaimedDelivery): void {
    underWay.set(claimed.endpoint_id, (underWay.get(claimed.endpoint_id) ?? 0) + 1);
    const attempt = deliver(claimed).finally(() => {
      attempts.delete(attempt);
      const left = (underWay.get(claimed.endpoint_id) ?? 1) - 1;
      if (left === 0) underWay.delete(claimed.endpoint_id);
      else underWay.set(claimed.endpoint_id, left);
      signal.raise();
    });
    attempts.add(attempt);
  }

  /** Ends when the outcome is recorded: until then it counts as under way. */
  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const { attempt, verdict } = await attemptDelivery(world, means, claimed, aborting.signal);
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

  const claiming = claimWhileRunning();
  return {
    async stop(msLeft) {
      const end = performance.now() + msLeft;
      stopping = true;
      signal.raise();
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
