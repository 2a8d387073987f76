import type { Tx } from '../postgres/database.ts';
import { hourOf } from './attempt-counts.ts';
import type { Attempt, ClaimedDelivery } from './delivery.ts';
import { durationClass } from './duration-classes.ts';
import type { NextStep } from './retry-schedule.ts';

/** An attempt that ended, and the next step. */
export interface Settlement {
  delivery: ClaimedDelivery;
  attempt: Attempt;
  next: NextStep;
}

/**
 * Records a batch of attempts in one statement, where this process still holds the lease. A stalled worker whose delivery
 * was claimed by another changes nothing. A postponed delivery keeps its due time, under a lease until the next try.
 * Attempts are counted for the success rate of their endpoint in the `share` of this process, in the order of the rows, so
 * that workers wait for each other rarely and never in a circle. Returns the recorded ids.
 */
export async function settleDeliveries(
  tx: Tx,
  settlements: readonly Settlement[],
  now: Date,
  share: number,
): Promise<Set<string>> {
  const column = <Value>(value: (settlement: Settlement) => Value) => settlements.map(value);
  const rows = await tx.query<{ id: string }>({
    name: 'settle_deliveries',
    text: `with given as (
             select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::bool[], $7::timestamptz[],
               $8::smallint[], $9::text[], $10::text[], $11::int[], $12::smallint[])
               as g (id, lease_id, status, next_attempt_at, tried, at, status_code, error, response_body, duration_ms,
                 duration_class)
           ), settled as (
             update webhook_deliveries d
             set status = g.status,
               next_attempt_at = case when g.tried then g.next_attempt_at else d.next_attempt_at end,
               lease_id = case when not g.tried then d.lease_id end,
               leased_until = case when not g.tried then g.next_attempt_at end,
               failures = failures + (g.tried and g.status <> 'delivered')::int,
               settled_at = case when g.status <> 'pending' then $1::timestamptz end
             from given g where d.id = g.id and d.lease_id = g.lease_id
             returning d.id, d.endpoint_id, d.failures + (g.status = 'delivered')::int as number, g.status = 'delivered' as delivered,
               g.tried, g.at, g.status_code, g.error, g.response_body, g.duration_ms, g.duration_class
           ), recorded as (
             insert into webhook_attempts (delivery_id, number, at, status_code, error, response_body, duration_ms)
             select id, number, at, status_code, error, response_body, duration_ms from settled where tried
           ), counted as (
             insert into webhook_attempt_counts as c (endpoint_id, hour, share, duration_class, delivered, failed)
             select endpoint_id, $13, $14, duration_class, count(*) filter (where delivered), count(*) filter (where not delivered)
             from settled where tried group by endpoint_id, duration_class order by endpoint_id, duration_class
             on conflict (endpoint_id, hour, share, duration_class)
               do update set delivered = c.delivered + excluded.delivered, failed = c.failed + excluded.failed
           )
           select id from settled`,
    values: [
      now,
      column(({ delivery }) => delivery.id),
      column(({ delivery }) => delivery.lease_id),
      column(({ next }) => (next.kind === 'delivered' || next.kind === 'dead' ? next.kind : 'pending')),
      column(({ next }) => ('at' in next ? next.at : null)),
      column(({ next }) => next.kind !== 'postponed'),
      column(({ attempt }) => attempt.at),
      column(({ attempt }) => attempt.statusCode),
      column(({ attempt }) => attempt.error),
      column(({ attempt }) => attempt.responseBody),
      column(({ attempt }) => attempt.durationMs),
      column(({ attempt }) => durationClass(attempt.durationMs)),
      hourOf(now),
      share,
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
