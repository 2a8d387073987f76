import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { unsettledIds } from './read-batch.ts';
import type { StreamKind } from './stream.ts';

/** A stream that this worker sends, until the lease ends. */
export interface ClaimedStream {
  account_id: string;
  kind: StreamKind;
  url: string;
  secret: Buffer | null;
  /** Null when it is not valid any more. */
  previous_secret: Buffer | null;
  failures: number;
  /** Fencing token: an outcome is recorded only while the stream has it. */
  lease_id: string;
}

/** Streams that fail have slots of their own, so that a dead destination delays no other. */
export type StreamLane = 'sending' | 'failing';

export interface ClaimOptions {
  lane: StreamLane;
  limit: number;
  leasedUntil: Date;
}

/**
 * Claims streams of a lane that have entries to send, those that wait the longest first. A stream has one lease, so one worker
 * of all processes sends it at a time. Only failing streams wait for their next attempt, so a clock that is set back does not
 * stop the others.
 */
export async function claimStreams(
  world: World,
  db: Queryable,
  { lane, limit, leasedUntil }: ClaimOptions,
): Promise<ClaimedStream[]> {
  const now = world.clock.now();
  const unsettled = unsettledIds(now);
  return db.query<ClaimedStream>({
    name: 'claim_audit_streams',
    text: `with due as materialized (
             select w.account_id from audit_streams w join accounts a on a.id = w.account_id and a.removed_at is null
             where w.paused_at is null and (w.leased_until is null or w.leased_until <= $1)
               and (w.failures > 0) = $4 and (w.failures = 0 or w.next_attempt_at <= $1)
               and exists (
                 select from audit_stream_entries e
                 where e.account_id = w.account_id and (e.entry_id < $3 or e.entry_id >= $7)
               )
             order by w.next_attempt_at limit $5 for no key update of w skip locked
           )
           update audit_streams s set lease_id = $6, leased_until = $2 from due where s.account_id = due.account_id
           returning s.account_id, kind, url, secret, failures, lease_id,
             case when previous_secret_until > $1 then previous_secret end as previous_secret`,
    values: [now, leasedUntil, unsettled.from, lane === 'failing', limit, world.newId(), unsettled.to],
  });
}
