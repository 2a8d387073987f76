import { ApiError } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import {
  answerOf,
  findRecord,
  type IdempotencyClaim,
  rememberAnswer,
  type StoredAnswer,
  tryLockKey,
} from './idempotency.ts';

/**
 * The idempotency key of a request that needs several transactions. A lease holds it while the request runs, so that repeated
 * requests are refused. The lease of a killed process expires. What the request has started stays with the key, so that a
 * repeated request can continue.
 */
export interface HeldKey {
  claim: IdempotencyClaim;
  leaseId: string;
  /** What an earlier request with this key started. */
  begunId: string | null;
}

const leaseMs = 10_000;
const renewalMs = 3000;

/**
 * Claims the key, or returns its stored answer. Throws `idempotency_in_progress` and `idempotency_key_reused`. The answer is looked
 * up after the lease: when the request that has the lease ends in between, its answer is found.
 */
export async function holdIdempotencyKey(
  world: World,
  tx: Tx,
  claim: IdempotencyClaim,
  oldestValid: Date,
): Promise<{ earlier: StoredAnswer } | { held: HeldKey }> {
  const now = world.clock.now();
  const [isTaken, [lease], record] = await Promise.all([
    tryLockKey(tx, claim),
    tx.query<{ request_sha256: Buffer; is_held: boolean; begun_id: string | null }>({
      name: 'find_idempotency_lease',
      text: `select request_sha256, leased_until > $5 as is_held, begun_id from idempotency_leases
             where account_id = $1 and endpoint = $2 and key = $3 and created_at > $4`,
      values: [claim.accountId, claim.endpoint, claim.key, oldestValid, now],
    }),
    findRecord(tx, claim, oldestValid),
  ]);
  // Another repetition may hold the lock.
  if (record !== null) return { earlier: answerOf(record, claim) };
  if (!isTaken) throw new ApiError('idempotency_in_progress');
  if (lease !== undefined && !lease.request_sha256.equals(claim.requestSha256)) {
    // The key is bound to its body only once work has started. After a refused request it can be used for the corrected one.
    if (lease.begun_id !== null || lease.is_held) throw new ApiError('idempotency_key_reused');
  }
  if (lease?.is_held === true) throw new ApiError('idempotency_in_progress');

  const held = { claim, leaseId: world.newId(), begunId: lease?.begun_id ?? null };
  await tx.query({
    name: 'take_idempotency_lease',
    text: `insert into idempotency_leases (account_id, endpoint, key, request_sha256, lease_id, leased_until, begun_id,
             created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (account_id, endpoint, key) do update
           set request_sha256 = excluded.request_sha256, lease_id = excluded.lease_id,
             leased_until = excluded.leased_until, begun_id = excluded.begun_id, created_at = excluded.created_at`,
    values: [
      claim.accountId,
      claim.endpoint,
      claim.key,
      claim.requestSha256,
      held.leaseId,
      new Date(now.getTime() + leaseMs),
      held.begunId,
      now,
    ],
  });
  return { held };
}

/** Renews the lease while `work` runs. After a failure the key is free at once, and keeps what was started. */
export async function whileHolding<Result>(
  world: World,
  database: Database,
  held: HeldKey,
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = () => setLeaseEnd(database, held, new Date(world.clock.now().getTime() + leaseMs));
  const timer = setInterval(() => {
    renew().catch((error) => world.log.warn('could not renew the lease of an idempotency key', { error }));
  }, renewalMs);
  try {
    return await work();
  } catch (error) {
    await freeKey(world, database, held);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Frees the key for a repeated request, and keeps what was started. */
export async function freeKey(world: World, database: Database, held: HeldKey): Promise<void> {
  await setLeaseEnd(database, held, world.clock.now()).catch((error) =>
    world.log.warn('could not free an idempotency key: it is free in some seconds', { error }),
  );
}

async function setLeaseEnd(db: Queryable, { claim, leaseId }: HeldKey, until: Date): Promise<void> {
  await db.query({
    name: 'set_idempotency_lease_end',
    text: `update idempotency_leases set leased_until = $5
           where account_id = $1 and endpoint = $2 and key = $3 and lease_id = $4`,
    values: [claim.accountId, claim.endpoint, claim.key, leaseId, until],
  });
}

/** Records what was started, in the transaction that starts it. */
export async function noteBegun(tx: Tx, { claim, leaseId }: HeldKey, begunId: string): Promise<void> {
  const noted = await tx.query({
    name: 'note_begun',
    text: `update idempotency_leases set begun_id = $5
           where account_id = $1 and endpoint = $2 and key = $3 and lease_id = $4 returning 1`,
    values: [claim.accountId, claim.endpoint, claim.key, leaseId, begunId],
  });
  if (noted.length === 0) throw new ApiError('idempotency_in_progress');
}

/** Replaces the lease by the answer, in the transaction that ends the request. */
export async function answerHeld(tx: Tx, { claim, leaseId }: HeldKey, answer: StoredAnswer, now: Date): Promise<void> {
  const ended = await tx.query({
    name: 'end_idempotency_lease',
    text: `delete from idempotency_leases
           where account_id = $1 and endpoint = $2 and key = $3 and lease_id = $4 returning 1`,
    values: [claim.accountId, claim.endpoint, claim.key, leaseId],
  });
  if (ended.length === 0) throw new ApiError('idempotency_in_progress');
  await rememberAnswer(tx, claim, answer, now);
}

/** Removes up to `limit` keys of interrupted requests that were taken before a time. Returns how many. */
export async function removeLeases(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: 'remove_idempotency_leases',
    text: `delete from idempotency_leases where ctid = any (array(
             select ctid from idempotency_leases where created_at <= $1 and leased_until <= $1 limit $2)) returning 1`,
    values: [before, limit],
  });
  return rows.length;
}
