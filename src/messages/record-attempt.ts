import type { DeliveryOutcome } from '../platform/delivery-outcome.ts';

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
      await record.accepted(outcome.providerId);
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
