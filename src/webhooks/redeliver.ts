import { auditAccount } from '../accounts/account-audit.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { type Delivery, findDelivery } from './deliveries.ts';
import { findEndpoint } from './manage-endpoints.ts';
import { deliveriesChannel, dueAtOnce } from './wake.ts';

/**
 * Enqueues a new delivery of the same event to the same endpoint, with the same event id and body. It is due at once. Null
 * when the delivery does not exist. Throws a `Refusal` when the endpoint was removed. `personId` is null for the operator.
 */
export async function redeliver(world: World, tx: Tx, id: string, personId: string | null): Promise<Delivery | null> {
  const original = await findDelivery(tx, id);
  if (original === null) return null;
  const endpoint = await findEndpoint(tx, original.endpoint_id);
  if (endpoint === null) {
    throw new Refusal(`the webhook endpoint of this delivery, ${original.endpoint_id}, was removed`);
  }
  const fresh = world.newId();
  await tx.query({
    name: 'redeliver',
    text: `with enqueued as (
             insert into webhook_deliveries
               (id, account_id, endpoint_id, event_id, payload_version, status, redelivery_of, next_attempt_at, created_at)
             select $2, account_id, endpoint_id, event_id, payload_version, 'pending', id, ${dueAtOnce('$3')}, $3
             from webhook_deliveries where id = $1
             returning id
           )
           select pg_notify('${deliveriesChannel}', '') from enqueued`,
    values: [original.id, fresh, world.clock.now()],
  });
  const detail = { delivery_id: fresh, redelivery_of: original.id, endpoint_id: endpoint.id };
  await auditAccount(world, tx, { accountId: endpoint.account_id, personId, action: 'webhook_redelivered', detail });
  return findDelivery(tx, fresh);
}
