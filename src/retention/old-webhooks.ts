import type { Queryable } from '../postgres/database.ts';
import { countsDays } from '../webhooks/attempt-counts.ts';
import { readFirst, readLowest } from './read-first.ts';
import { batchMax, batchOf, keptDays, type RetainedData } from './retained-data.ts';
import { createWalk } from './walk.ts';

/**
 * Settled deliveries and their attempts. Pending ones stay, also those of a paused endpoint. A delivery that was redelivered
 * stays until its redeliveries are removed.
 */
export function oldDeliveries(db: Queryable, days: number | null): RetainedData {
  return {
    name: 'webhook_deliveries',
    before: keptDays(days),
    removeBatch: createWalk(db, {
      name: 'remove_deliveries',
      text: `with looked as materialized (
               select id from webhook_deliveries where id > $1::uuid and id < $2::uuid order by id limit $3
             ), old as materialized (
               select d.id from webhook_deliveries d join looked on looked.id = d.id
               where d.status <> 'pending' and d.settled_at < $4
                 and not exists (select from webhook_deliveries again where again.redelivery_of = d.id)
               for update of d skip locked
             ), attempts as (
               delete from webhook_attempts a using old where a.delivery_id = old.id
             ), removed as (
               delete from webhook_deliveries d using old where d.id = old.id returning 1
             )
             select (select id from looked order by id desc limit 1) as ended_at,
               (select count(*) from looked)::int as looked, (select count(*) from removed)::int as removed`,
    }),
    oldest: () => readFirst(db, 'webhook_deliveries'),
  };
}

/** Counts of attempts, by the hour. They have no content, and are kept as long as they are shown. */
export function oldAttemptCounts(db: Queryable): RetainedData {
  return {
    name: 'webhook_attempt_counts',
    before: keptDays(countsDays),
    removeBatch: async (before) => {
      const removed = await db.query({
        name: 'remove_attempt_counts',
        text: `delete from webhook_attempt_counts where ctid = any (array(
                 select ctid from webhook_attempt_counts where hour < $1 order by hour limit $2
                 for update skip locked)) returning 1`,
        values: [before, batchMax],
      });
      return batchOf(removed.length);
    },
    oldest: () => readLowest(db, 'webhook_attempt_counts', 'hour'),
  };
}

/** Events without deliveries. An event whose delivery is pending stays until it is settled and removed. */
export function oldEvents(db: Queryable, days: number | null): RetainedData {
  return {
    name: 'events',
    before: keptDays(days),
    removeBatch: createWalk(db, {
      name: 'remove_events',
      text: `with looked as materialized (
               select id from events where id > $1::uuid and id < $2::uuid order by id limit $3
             ), old as materialized (
               select e.id from events e join looked on looked.id = e.id
               where e.created_at < $4
                 and not exists (
                   select from webhook_deliveries d where d.event_id = e.id and d.redelivery_of is null)
                 and not exists (
                   select from webhook_deliveries d where d.event_id = e.id and d.redelivery_of is not null)
               for update of e skip locked
             ), removed as (
               delete from events e using old where e.id = old.id returning 1
             )
             select (select id from looked order by id desc limit 1) as ended_at,
               (select count(*) from looked)::int as looked, (select count(*) from removed)::int as removed`,
    }),
    oldest: () => readFirst(db, 'events'),
  };
}
