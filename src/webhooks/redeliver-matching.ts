import { auditAccount } from '../accounts/account-audit.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import { deliveriesLookedAtMax, endOfWalk, walkOf } from './delivery-walk.ts';
import { enqueueEvents } from './enqueue-events.ts';
import { maySendAgain } from './event-deliveries.ts';
import { redeliveredMax, searchedMax, TooManyEvents } from './redelivery-limits.ts';

export interface MatchingDeliveries {
  endpoint: { id: string; account_id: string };
  filter: DeliveryFilter;
  /**
   * When the matching events were counted. Later deliveries don't match, and an event that the endpoint got again since then
   * is left out. So the same redelivery asked for twice is made once.
   */
  countedAt: Date;
}

/**
 * Counts the events whose deliveries match and that the endpoint may get again. Left out are test events, types that the
 * endpoint didn't choose, and events with a pending delivery there. With the status `dead`, an event counts only if the
 * endpoint missed it. Throws `TooManyEvents`.
 */
export async function countMatching(db: Queryable, matching: MatchingDeliveries): Promise<number> {
  const events = new Set<string>();
  let after: string | null = null;
  for (let searched = 0; searched < searchedMax; searched += deliveriesLookedAtMax) {
    const step: Step = await searchStep(db, matching, after, redeliveredMax + 1);
    for (const id of step.eventIds) events.add(id);
    if (events.size > redeliveredMax) throw new TooManyEvents();
    after = step.lookedTo;
    if (after === null) return events.size;
  }
  throw new TooManyEvents();
}

/** Events of one transaction, and of one request of the console. */
export const redeliveryPortion = 500;

/**
 * Redelivers the next portion of what `countMatching` counted, oldest first, in a transaction with its audit entry. `next` is
 * where the following portion begins, or null at the end. `personId` is null for the operator.
 */
export async function redeliverPortion(
  world: World,
  db: Database,
  matching: MatchingDeliveries,
  after: string | null,
  personId: string | null,
): Promise<{ redelivered: number; next: string | null }> {
  const { eventIds, lookedTo } = await searchStep(db, matching, after, redeliveryPortion);
  if (eventIds.length === 0) return { redelivered: 0, next: lookedTo };
  const { endpoint, filter, countedAt } = matching;
  const redelivered = await db.transaction(async (tx) => {
    const enqueued = await enqueueEvents(world, tx, {
      accountId: endpoint.account_id,
      eventIds: [...new Set(eventIds)],
      endpointIds: [endpoint.id],
      onlyMissed: filter.status === 'dead',
      unlessSince: countedAt,
    });
    if (enqueued > 0) {
      const detail = { endpoint_ids: [endpoint.id], filter, redelivered: enqueued };
      await auditAccount(world, tx, {
        accountId: endpoint.account_id,
        personId,
        action: 'webhook_redelivered',
        detail,
      });
    }
    return enqueued;
  });
  return { redelivered, next: lookedTo };
}

interface Step {
  /** May have an event more than once. */
  eventIds: string[];
  lookedTo: string | null;
}

async function searchStep(
  db: Queryable,
  { endpoint, filter, countedAt }: MatchingDeliveries,
  afterId: string | null,
  limit: number,
): Promise<Step> {
  const to = filter.to !== null && filter.to < countedAt ? filter.to : countedAt;
  const walk = await walkOf(db, {
    endpoint,
    filter: { ...filter, to },
    order: 'oldest_first',
    afterId,
    lookedAtMax: deliveriesLookedAtMax,
  });
  const rows = await db.query<{ id: string; event_id: string }>({
    name: `search_redeliverable_deliveries_${walk.name}`,
    text: `select d.id, d.event_id from (${walk.text}) d
           where ${walk.condition}
             and exists (
               select from events e join webhook_endpoints t on t.id = $2 and e.type = any (t.events)
               where e.id = d.event_id and e.document_id is not null)
             and ${maySendAgain('d.event_id', '$2', { onlyMissed: '$12::boolean', unlessSince: '$13::timestamptz' })}
           order by d.id limit $14`,
    values: [...walk.values, filter.status === 'dead', countedAt, limit],
  });
  const isFull = rows.length >= limit;
  return {
    eventIds: rows.map(({ event_id }) => event_id),
    lookedTo: isFull ? (rows.at(-1)?.id ?? null) : await endOfWalk(db, walk),
  };
}
