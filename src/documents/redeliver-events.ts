import { auditAccount } from '../accounts/account-audit.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { enqueueEvents } from '../webhooks/enqueue-events.ts';
import { eventStatus, maySendAgain } from '../webhooks/event-deliveries.ts';
import { listEndpoints } from '../webhooks/manage-endpoints.ts';
import { redeliveredMax, searchedMax, TooManyEvents } from '../webhooks/redelivery-limits.ts';
import { type EventFilter, type EventWalk, endOfWalk, eventsLookedAtMax, walkOf } from './event-log.ts';

export interface RedeliverOptions {
  accountId: string;
  filter: EventFilter;
  /** Null: all endpoints of the account. */
  endpointId: string | null;
}

export interface Redeliverable {
  /** Newest first. */
  eventIds: string[];
  deliveries: number;
}

/**
 * Finds the events that match the filter and that some endpoint may get again. Each endpoint gets the event types that it
 * chose, and no event that already waits for it. When the filter asks for dead events, it gets those that it missed. Test
 * events are left out. Throws `TooManyEvents`.
 */
export async function findRedeliverable(db: Queryable, options: RedeliverOptions): Promise<Redeliverable> {
  const { accountId, filter } = options;
  const endpoints = await endpointIdsOf(db, accountId);
  const targets = targetsOf(endpoints, options);
  const found: Redeliverable = { eventIds: [], deliveries: 0 };
  if (targets.length === 0) return found;
  let before: string | null = null;
  for (let searched = 0; searched < searchedMax; searched += eventsLookedAtMax) {
    const walk: EventWalk = walkOf(accountId, filter, before, eventsLookedAtMax);
    const rows = await searchStep(db, walk, endpoints, targets, redeliveredMax + 1 - found.eventIds.length);
    for (const { id, deliveries } of rows) {
      found.eventIds.push(id);
      found.deliveries += deliveries;
    }
    if (found.eventIds.length > redeliveredMax) throw new TooManyEvents();
    before = walk.isById ? null : await endOfWalk(db, walk, eventsLookedAtMax);
    if (before === null) return found;
  }
  throw new TooManyEvents();
}

function searchStep(db: Queryable, walk: EventWalk, endpoints: string[], targets: string[], limit: number) {
  return db.query<{ id: string; deliveries: number }>({
    name: walk.isById ? 'search_redeliverable_by_id' : 'search_redeliverable',
    text: `select e.id, again.deliveries
           from (${walk.text}) e cross join lateral (
             select count(*)::integer as deliveries from webhook_endpoints t
             where t.id = any ($11::uuid[]) and e.type = any (t.events)
               and ${maySendAgain('e.id', 't.id', { onlyMissed: "$8::text is not distinct from 'dead'", unlessSince: 'null' })}
           ) again
           where e.document_id is not null and ${walk.condition} and again.deliveries > 0
             and ($8::text is null or ${eventStatus('e.id', '$10::uuid[]')} = $8)
           order by e.id desc limit $12`,
    values: [...walk.values, endpoints, targets, limit],
  });
}

/** Events of one transaction. */
const portion = 500;

/**
 * Redelivers the events that `findRedeliverable` found with the same options, oldest first. Each portion is a transaction and
 * is audited. Returns the number of new deliveries. `personId` is null for the operator.
 */
export async function redeliverEvents(
  world: World,
  db: Database,
  options: RedeliverOptions,
  { eventIds }: Redeliverable,
  personId: string | null,
): Promise<number> {
  const { accountId, filter } = options;
  const endpointIds = targetsOf(await endpointIdsOf(db, accountId), options);
  const oldestFirst = eventIds.toReversed();
  let redelivered = 0;
  for (let at = 0; at < oldestFirst.length; at += portion) {
    const events = { accountId, eventIds: oldestFirst.slice(at, at + portion), endpointIds };
    redelivered += await db.transaction(async (tx) => {
      const enqueued = await enqueueEvents(world, tx, {
        ...events,
        onlyMissed: filter.status === 'dead',
        unlessSince: null,
      });
      if (enqueued > 0) {
        const detail = { endpoint_ids: endpointIds, filter, redelivered: enqueued };
        await auditAccount(world, tx, { accountId, personId, action: 'webhook_redelivered', detail });
      }
      return enqueued;
    });
  }
  return redelivered;
}

async function endpointIdsOf(db: Queryable, accountId: string): Promise<string[]> {
  return (await listEndpoints(db, accountId)).map(({ id }) => id);
}

function targetsOf(ids: string[], { endpointId }: RedeliverOptions): string[] {
  return endpointId === null ? ids : ids.filter((id) => id === endpointId);
}
