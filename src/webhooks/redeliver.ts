import { Refusal } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import { type Delivery, findDelivery } from './deliveries.ts';
import { findEndpoint } from './manage-endpoints.ts';
import { deliveriesChannel } from './wake.ts';

/**
 * Owes the event of a delivery to the same endpoint once more, at once, whatever became of it: a fresh delivery with the
 * same event id and body. Null when there is no such delivery. Throws a `Refusal` when the endpoint was removed.
 */
export async function redeliver(world: World, db: Queryable, id: string): Promise<Delivery | null> {
  const asked = await findDelivery(db, id);
  if (asked === null) return null;
  if ((await findEndpoint(db, asked.endpoint_id)) === null) {
    throw new Refusal(`the webhook endpoint of this delivery, ${asked.endpoint_id}, was removed`);
  }
  const fresh = world.newId();
  await db.query({
    name: 'redeliver',
    text: `with owed as (
             insert into webhook_deliveries
               (id, account_id, endpoint_id, event_id, status, redelivery_of, next_attempt_at, created_at)
             select $2, account_id, endpoint_id, event_id, 'pending', id, $3, $3 from webhook_deliveries where id = $1
             returning id
           )
           select pg_notify('${deliveriesChannel}', '') from owed`,
    values: [asked.id, fresh, world.clock.now()],
  });
  return findDelivery(db, fresh);
}
