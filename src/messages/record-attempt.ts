import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryOutcome } from '../platform/delivery-outcome.ts';
import { DatabaseFailure, sqlState } from '../postgres/database.ts';

/** What is recorded after an attempt to deliver. */
export interface AttemptRecord {
  accepted(providerId: string | null): Promise<unknown>;
  /** There is no further attempt. */
  failed(reason: string): Promise<unknown>;
  unavailable(reason: string): Promise<unknown>;
}

/**
 * Records the outcome of an attempt. An accepted delivery is never repeated, and a refused one fails for good. If the provider
 * is unavailable it throws, so that the queue tries again, and records the failure after the last attempt. `what`: the delivery,
 * for the log.
 */
export async function recordAttempt(
  outcome: DeliveryOutcome,
  isLastAttempt: boolean,
  record: AttemptRecord,
  what: string,
): Promise<void> {
  switch (outcome.kind) {
    case 'accepted':
      await recordAcceptance(() => record.accepted(outcome.providerId));
      return;
    case 'refused':
      await record.failed(outcome.reason);
      return;
    case 'unavailable':
      if (isLastAttempt) {
        await record.failed(outcome.reason);
        return;
      }
      await record.unavailable(outcome.reason);
      throw new Error(`${what} was not delivered yet: ${outcome.reason}`);
  }
}

/** Longer than a failover of the database. A job has this time left after the longest delivery. */
const recordingMsMax = 40_000;
const pauseMs = 1000;

/**
 * Records that a message was accepted. Tries again while the database is away: a message without this record would be sent again.
 * Throws the last error if that takes too long, and at once if the database refuses the data.
 */
export async function recordAcceptance(record: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + recordingMsMax;
  for (;;) {
    try {
      await record();
      return;
    } catch (error) {
      const isAway = error instanceof DatabaseFailure && !/^2[23]/.test(sqlState(error) ?? '');
      if (!isAway || performance.now() > until) throw error;
    }
    await sleep(pauseMs, undefined, { ref: false });
  }
}
