import type { Database } from '../postgres/database.ts';
import { type Call, type Endpoint, type OnceOnly, orFail } from './endpoint.ts';
import type { IdempotencyClaim, StoredAnswer } from './idempotency.ts';
import { answerHeld, freeKey, type HeldKey, holdIdempotencyKey, noteBegun, whileHolding } from './idempotency-lease.ts';

export interface LongRequest {
  /** Null without an Idempotency-Key. */
  claim: IdempotencyClaim | null;
  /** Takes so many units of the rate budget more. */
  spend(units: number): Promise<void>;
  respond(result: unknown): StoredAnswer;
  /** An idempotency key older than this is forgotten. */
  oldestValid: Date;
}

/** To take a key; what comes after may take as long as it needs. */
const claimMsMax = 2250;

/**
 * Answers a write that no one transaction can hold. With an idempotency key, its repetition is told to wait while it
 * runs, gets the same answer afterwards, and carries on with what was begun when the process that ran it was killed.
 * A repetition costs one unit, whether it is answered from memory or carries on.
 */
export async function answerAtLength(
  endpoint: Extract<Endpoint, { prepare: unknown }>,
  call: Call,
  request: LongRequest,
  database: Database,
): Promise<StoredAnswer> {
  const { claim, oldestValid } = request;
  if (claim === null) return answer(endpoint, call, request, unheld);
  const holding = database
    .within(claimMsMax)
    .transaction((tx) => holdIdempotencyKey(call.world, tx, claim, oldestValid));
  const taken = await orFail('idempotency_store_failed', holding);
  if ('earlier' in taken) {
    await endpoint.assertMayRepeat(call);
    return taken.earlier;
  }
  return whileHolding(call.world, database, taken.held, () =>
    answer(endpoint, call, request, onceOnly(call, request, taken.held, database)),
  );
}

async function answer(
  endpoint: Extract<Endpoint, { prepare: unknown }>,
  call: Call,
  request: LongRequest,
  once: OnceOnly,
): Promise<StoredAnswer> {
  const { units, run } = endpoint.prepare(call);
  if (once.begunId === null && units > 1) await orFail(endpoint.failure, request.spend(units - 1));
  return request.respond(await run(once));
}

const unheld: OnceOnly = { begunId: null, begin: async () => {}, answer: async () => {}, leaveOpen: async () => {} };

function onceOnly({ world }: Call, { respond }: LongRequest, held: HeldKey, database: Database): OnceOnly {
  return {
    begunId: held.begunId,
    begin: (tx, id) => orFail('idempotency_store_failed', noteBegun(tx, held, id)),
    answer: (tx, result) => answerHeld(tx, held, respond(result), world.clock.now()),
    leaveOpen: () => freeKey(world, database, held),
  };
}
