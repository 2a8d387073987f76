import { listMembers } from '../accounts/members.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import type { ClaimedStream } from './claim-streams.ts';
import type { Batch } from './read-batch.ts';

/** The wait after failure 1, 2, …. The last one repeats for ever: a stream is never given up. */
const retrySeconds = [5, 15, 60, 300, 900];
/** The owners are told when a stream has failed for this long. */
const warningMs = 86_400_000;
const errorLengthMax = 500;

/**
 * Moves the position past an accepted batch. False: the lease is lost, so the batch is sent again. `leasedUntil` renews the
 * lease for the next batch. Null ends it.
 */
export async function recordSent(
  world: World,
  db: Queryable,
  { account_id: accountId, lease_id: leaseId }: ClaimedStream,
  { entries, doneIds }: Batch,
  leasedUntil: Date | null,
): Promise<boolean> {
  const recorded = await db.query({
    name: 'record_audit_batch_sent',
    text: `with sent as (
             update audit_streams
             set last_entry_id = $4, last_sent_at = $5, sent_entries = sent_entries + $6, next_attempt_at = $5, failures = 0,
               failing_since = null, last_error = null, warned_at = null,
               lease_id = case when $7::timestamptz is not null then lease_id end, leased_until = $7
             where account_id = $1 and lease_id = $2 returning account_id
           ), done as (
             delete from audit_stream_entries e using sent
             where e.account_id = sent.account_id and e.entry_id = any ($3::uuid[])
           )
           select from sent`,
    values: [accountId, leaseId, doneIds, entries.at(-1)?.id ?? null, world.clock.now(), entries.length, leasedUntil],
  });
  return recorded.length > 0;
}

/**
 * Keeps the position and sets the time of the next attempt. Once in each streak of failures that lasts a day, the owners are
 * e-mailed. Does nothing when the lease is lost.
 */
export async function recordFailure(
  world: World,
  db: Database,
  queue: JobQueue,
  { account_id: accountId, lease_id: leaseId }: ClaimedStream,
  reason: string,
): Promise<void> {
  const now = world.clock.now();
  await db.transaction(async (tx) => {
    const [failed] = await tx.query<{ warns: boolean }>({
      name: 'record_audit_batch_failed',
      text: `update audit_streams s
             set failures = s.failures + 1, failing_since = coalesce(s.failing_since, $3::timestamptz), last_error = $4,
               next_attempt_at = $3::timestamptz + make_interval(secs => ($5::integer[])[least(s.failures + 1, cardinality($5::integer[]))]),
               warned_at = case when judged.warns then $3::timestamptz else s.warned_at end, lease_id = null, leased_until = null
             from (
               select account_id, warned_at is null and failing_since <= $6 as warns from audit_streams
               where account_id = $1 and lease_id = $2 for no key update
             ) judged
             where s.account_id = judged.account_id returning coalesce(judged.warns, false) as warns`,
      values: [
        accountId,
        leaseId,
        now,
        reason.slice(0, errorLengthMax),
        retrySeconds,
        new Date(now.getTime() - warningMs),
      ],
    });
    if (failed?.warns) await enqueueWarnings(world, tx, queue, accountId);
  });
}

async function enqueueWarnings(world: World, tx: Tx, queue: JobQueue, accountId: string): Promise<void> {
  const owners = (await listMembers(tx, accountId)).filter(({ role }) => role === 'owner');
  if (owners.length === 0) return;
  await queue.enqueue(
    tx,
    owners.map(({ id }) => ({ name: 'tell-of-audit-stream', messageId: world.newId(), accountId, memberId: id })),
  );
}

/** Drops entries that the company's audit log does not show, and gives the stream back. */
export async function recordHidden(
  db: Queryable,
  { account_id: accountId, lease_id: leaseId }: ClaimedStream,
  { doneIds }: Batch,
): Promise<void> {
  await db.query({
    name: 'record_hidden_audit_entries',
    text: `with held as (
             update audit_streams set lease_id = null, leased_until = null
             where account_id = $1 and lease_id = $2 returning account_id
           )
           delete from audit_stream_entries e using held where e.account_id = held.account_id and e.entry_id = any ($3::uuid[])`,
    values: [accountId, leaseId, doneIds],
  });
}

/** Gives the stream back, as when the process stops. Another worker may send at once. */
export async function releaseStream(db: Queryable, { account_id, lease_id }: ClaimedStream): Promise<void> {
  await db.query({
    name: 'release_audit_stream',
    text: 'update audit_streams set lease_id = null, leased_until = null where account_id = $1 and lease_id = $2',
    values: [account_id, lease_id],
  });
}
