import type { Database } from '../postgres/database.ts';
import { type Call, type Endpoint, type OnceOnly, orFail } from './endpoint.ts';
import type { IdempotencyClaim, StoredAnswer } from './idempotency.ts';
import { answerHeld, freeKey, type HeldKey, holdIdempotencyKey, noteBegun, whileHolding } from './idempotency-lease.ts';

export interface LongRequest {
  /** Null without an Idempotency-Key. */
  claim: IdempotencyClaim | null;
  /** Spends more units of the rate budget. */
  spend(units: number): Promise<void>;
  respond(result: unknown): StoredAnswer;
  /** Idempotency keys older than this have expired. */
  oldestValid: Date;
  /** Time limit for claiming the key. The work after it has no limit. */
  claimMsMax: number;
}

/**
 * Answers a write that needs more than one transaction. With an idempotency key, a repeated request is refused while the
 * first one runs, gets the same answer afterwards, and continues the work of a process that was killed. It costs one unit
 * in each case.
 */
export async function answerAtLength(
  endpoint: Extract<Endpoint, { prepare: unknown }>,
  call: Call,
  request: LongRequest,
  database: Database,
): Promise<StoredAnswer> {
  const { claim, oldestValid, claimMsMax } = request;
  if (claim === null) return answer(endpoint, call, request, unheld);
  const holding = database
    .within(claimMsMax)
    .transaction((tx) => holdIdempotencyKey(call.world, tx, claim, oldestValid));
  const taken = await orFail('idempotency_store_failed', holding);
  if ('earlier' in taken) {
    return { ...taken.earlier, body: await endpoint.showAgain(call, taken.earlier.body) };
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
