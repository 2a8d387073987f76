import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { type Delivery, findDelivery } from './deliveries.ts';
import type { EventType } from './event-types.ts';
import { composeEvent } from './record-event.ts';
import { deliveriesChannel, dueAtOnce } from './wake.ts';

/**
 * Enqueues a test event for one endpoint, whatever event types it chose. Its document does not exist. Receivers can be
 * tried this way before anything is signed. Null when the endpoint does not exist or was removed.
 */
export async function sendTestEvent(
  world: World,
  db: Queryable,
  endpointId: string,
  type: EventType,
  document: object,
): Promise<Delivery | null> {
  const { id, createdAt, body } = composeEvent(world, type, document);
  const deliveryId = world.newId();
  await db.query({
    name: 'send_test_event',
    text: `with endpoint as (
             select id, account_id, payload_version from webhook_endpoints where id = $1 and removed_at is null
           ), event as (
             insert into events (id, account_id, document_id, type, body, created_at)
             select $2, account_id, null, $3, $4, $5 from endpoint
           ), enqueued as (
             insert into webhook_deliveries
               (id, account_id, endpoint_id, event_id, payload_version, status, next_attempt_at, created_at)
             select $6, account_id, id, $2, payload_version, 'pending', ${dueAtOnce('$5')}, $5 from endpoint
             returning id
           )
           select pg_notify('${deliveriesChannel}', '') from enqueued`,
    values: [endpointId, id, type, body, createdAt, deliveryId],
  });
  return findDelivery(db, deliveryId);
}
