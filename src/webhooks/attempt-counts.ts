import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { percentileMs } from './duration-classes.ts';

/** Attempts to deliver to an endpoint. */
export interface AttemptCount {
  delivered: number;
  failed: number;
}

export interface AttemptSummary extends AttemptCount {
  /** Of all attempts, to about 25 percent. Null without attempts. */
  median_ms: number | null;
  p95_ms: number | null;
}

/** Attempts of an hour or a day. `at` is its start, in UTC. */
export type AttemptPeriod = AttemptSummary & { at: Timestamp };

/** Attempts of a range, and of each of its periods, oldest first. */
export type AttemptSeries = AttemptSummary & { periods: AttemptPeriod[] };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const hoursShown = 24;
const daysShown = 30;

/** Counts are kept for one day more than they are shown. */
export const countsDays = daysShown + 1;

/** Number of shares in which worker processes count. */
export const countShares = 16;

/** Returns the start of the hour in which an attempt counts. */
export function hourOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / hourMs) * hourMs);
}

/** Returns the attempts of the last 24 hours by endpoint, for those of an account that have any. */
export async function countLastDay(db: Queryable, accountId: string, now: Date): Promise<Map<string, AttemptCount>> {
  const rows = await db.query<AttemptCount & { endpoint_id: string }>({
    name: 'count_attempts_of_last_day',
    text: `select e.id as endpoint_id, sum(c.delivered)::int as delivered, sum(c.failed)::int as failed
           from webhook_endpoints e join webhook_attempt_counts c on c.endpoint_id = e.id and c.hour >= $2
           where e.account_id = $1 and e.removed_at is null group by e.id`,
    values: [accountId, firstHour(now)],
  });
  return new Map(rows.map(({ endpoint_id, ...count }) => [endpoint_id, count]));
}

/** Returns the attempts of an endpoint in the last 24 hours and 30 days (UTC), the current hour and day included. */
export async function readAttemptHistory(
  db: Queryable,
  endpoint: { id: string; account_id: string },
  now: Date,
): Promise<{ day: AttemptSeries; month: AttemptSeries }> {
  const firstDay = new Date((Math.floor(now.getTime() / dayMs) - daysShown + 1) * dayMs);
  const counts = await db.query<CountRow>({
    name: 'read_attempt_history',
    text: `select c.hour, c.duration_class, sum(c.delivered)::int as delivered, sum(c.failed)::int as failed
           from webhook_endpoints e join webhook_attempt_counts c on c.endpoint_id = e.id and c.hour >= $3
           where e.id = $1 and e.account_id = $2 group by c.hour, c.duration_class`,
    values: [endpoint.id, endpoint.account_id, firstDay],
  });
  return {
    day: seriesOf(counts, firstHour(now), hourMs, hoursShown),
    month: seriesOf(counts, firstDay, dayMs, daysShown),
  };
}

interface CountRow extends AttemptCount {
  hour: Timestamp;
  duration_class: number;
}

function firstHour(now: Date): Date {
  return new Date(hourOf(now).getTime() - (hoursShown - 1) * hourMs);
}

function seriesOf(counts: readonly CountRow[], first: Date, lengthMs: number, length: number): AttemptSeries {
  const within = counts.filter(({ hour }) => Date.parse(hour) >= first.getTime());
  const grouped = Map.groupBy(within, ({ hour }) => Math.floor((Date.parse(hour) - first.getTime()) / lengthMs));
  const periods = Array.from({ length }, (_, place) => {
    const at = new Date(first.getTime() + place * lengthMs).toISOString();
    return { at, ...summarize(grouped.get(place) ?? []) };
  });
  return { ...summarize(within), periods };
}

function summarize(counts: readonly CountRow[]): AttemptSummary {
  const classes = new Map<number, number>();
  let [delivered, failed] = [0, 0];
  for (const count of counts) {
    delivered += count.delivered;
    failed += count.failed;
    classes.set(count.duration_class, (classes.get(count.duration_class) ?? 0) + count.delivered + count.failed);
  }
  return { delivered, failed, median_ms: percentileMs(classes, 0.5), p95_ms: percentileMs(classes, 0.95) };
}
