import { Counter, Histogram, type Registry } from 'prom-client';
import { addPolledGauge } from '../http/polled-gauge.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import type { NextStep } from './retry-schedule.ts';

export interface WebhookMetrics {
  attempted: (outcome: NextStep['kind']) => void;
  firstSent: (seconds: number) => void;
}

const firstSendBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Metrics of webhooks: the oldest due delivery, outcomes of attempts, and the time to the first attempt. */
export function createWebhookMetrics(registry: Registry, world: World, db: Queryable): WebhookMetrics {
  const registers = [registry];
  addPolledGauge(registry, {
    name: 'countersign_webhook_oldest_due_seconds',
    help: 'How long the delivery that is due the longest has waited, in flight or at a paused endpoint included.',
    async read(gauge) {
      gauge.set(await oldestDueSeconds(db, world.clock.now()));
    },
  });
  const attempts = new Counter({
    name: 'countersign_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by what followed. Postponed: for a reason on this side.',
    labelNames: ['outcome'],
    registers,
  });
  const firstSends = new Histogram({
    name: 'countersign_webhook_first_send_seconds',
    help: 'Time from the recording of an event to its first request.',
    buckets: firstSendBucketsSeconds,
    registers,
  });
  return {
    attempted: (outcome) => attempts.inc({ outcome }),
    firstSent: (seconds) => firstSends.observe(seconds),
  };
}

/** Reads the first pending delivery of each endpoint, so that a long backlog costs no more than a short one. */
async function oldestDueSeconds(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query<{ seconds: number | null }>({
    name: 'oldest_due_delivery',
    text: `with recursive first (endpoint_id, next_attempt_at) as (
             (select endpoint_id, next_attempt_at from webhook_deliveries where status = 'pending'
              order by endpoint_id, next_attempt_at limit 1)
             union all
             select next.endpoint_id, next.next_attempt_at from first cross join lateral (
               select endpoint_id, next_attempt_at from webhook_deliveries
               where status = 'pending' and endpoint_id > first.endpoint_id order by endpoint_id, next_attempt_at limit 1
             ) next
           )
           select extract(epoch from $1::timestamptz - min(next_attempt_at))::float8 as seconds from first`,
    values: [now],
  });
  return Math.max(0, rows[0]?.seconds ?? 0);
}
