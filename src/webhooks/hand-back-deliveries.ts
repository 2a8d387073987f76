import type { Queryable } from '../postgres/database.ts';
import type { ClaimedDelivery } from './delivery.ts';

/** Releases leases, so that another worker can claim at once. Aborted attempts do not count. */
export async function handBackDeliveries(db: Queryable, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await db.query({
    name: 'hand_back_deliveries',
    text: `update webhook_deliveries d set lease_id = null, leased_until = null
           from unnest($1::uuid[], $2::uuid[]) as given (id, lease_id)
           where d.id = given.id and d.lease_id = given.lease_id`,
    values: [deliveries.map(({ id }) => id), deliveries.map(({ lease_id }) => lease_id)],
  });
}
