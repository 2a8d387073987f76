import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { endpointsMax } from './endpoint.ts';
import { maySendAgain } from './event-deliveries.ts';
import { deliveriesChannel, dueAtOnce } from './wake.ts';

export interface EventsToEnqueue {
  accountId: string;
  eventIds: readonly string[];
  endpointIds: readonly string[];
  /** Whether an endpoint gets only events of which all its deliveries are dead. */
  onlyMissed: boolean;
  /** An event that an endpoint got since then is left out. Null: none is. */
  unlessSince: Date | null;
}

/**
 * Enqueues a new delivery of each event to each endpoint that chose its type and has no pending delivery of it. An endpoint
 * that never had the event gets it for the first time. Locks the endpoints, so that concurrent calls run in turn, and the events. Returns
 * how many.
 */
export async function enqueueEvents(world: World, tx: Tx, options: EventsToEnqueue): Promise<number> {
  const { accountId, eventIds, endpointIds, onlyMissed, unlessSince } = options;
  await tx.query({
    name: 'lock_endpoints',
    text: 'select 1 from webhook_endpoints where account_id = $1 and id = any ($2) order by id for no key update',
    values: [accountId, endpointIds],
  });
  // Retention removes events without deliveries, and an endpoint may get one for the first time.
  await tx.query({
    name: 'lock_events',
    text: 'select 1 from events where account_id = $1 and id = any ($2::uuid[]) order by id for key share',
    values: [accountId, eventIds],
  });
  const enqueued = await tx.query({
    name: 'enqueue_events',
    text: `with wanted as (
             select e.id as event_id, t.id as endpoint_id, t.payload_version, row_number() over (order by e.id, t.id) as place
             from events e join webhook_endpoints t
               on t.account_id = $1 and t.id = any ($3::uuid[]) and t.removed_at is null and e.type = any (t.events)
             where e.account_id = $1 and e.id = any ($2::uuid[])
               and ${maySendAgain('e.id', 't.id', { onlyMissed: '$4::boolean', unlessSince: '$7::timestamptz' })}
           )
           insert into webhook_deliveries
             (id, account_id, endpoint_id, event_id, payload_version, status, redelivery_of, next_attempt_at, created_at)
           select ($5::uuid[])[place], $1, wanted.endpoint_id, wanted.event_id,
             coalesce(first.payload_version, wanted.payload_version), 'pending', first.id, ${dueAtOnce('$6')}, $6
           from wanted left join webhook_deliveries first
             on first.event_id = wanted.event_id and first.endpoint_id = wanted.endpoint_id and first.redelivery_of is null
           order by place returning 1`,
    values: [
      accountId,
      eventIds,
      endpointIds,
      onlyMissed,
      Array.from({ length: eventIds.length * Math.min(endpointIds.length, endpointsMax) }, world.newId),
      world.clock.now(),
      unlessSince,
    ],
  });
  if (enqueued.length > 0) tx.notify(deliveriesChannel);
  return enqueued.length;
}
