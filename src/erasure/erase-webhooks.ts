import { type AccountErasure, deleteRows } from './delete-rows.ts';

/** Deliveries of one transaction. Each has several attempts. */
const deliveriesAtOnce = 1000;

/** Deletes the events of an account, and their deliveries with all attempts. The endpoints stay. */
export async function eraseWebhooks(erasure: AccountErasure): Promise<void> {
  const endpoints = await erasure.db.query<{ id: string }>({
    name: 'endpoints_of_erased',
    text: 'select id from webhook_endpoints where account_id = $1',
    values: [erasure.accountId],
  });
  for (const { id } of endpoints) await eraseDeliveries(erasure, id);
  await deleteRows(
    erasure,
    'webhook_attempt_counts',
    'endpoint_id in (select id from webhook_endpoints where account_id = $1)',
  );
  await deleteRows(erasure, 'events', 'account_id = $1');
}

/** Deletes the deliveries to an endpoint with their attempts. Deliveries have no index that begins with the account. */
async function eraseDeliveries({ db, accountId, stopping }: AccountErasure, endpointId: string): Promise<void> {
  for (;;) {
    stopping.throwIfAborted();
    const deleted = await db.transaction(async (tx) => {
      // A redelivery is younger than what it repeats, so the newest go first.
      const deliveries = await tx.query<{ id: string }>({
        name: 'deliveries_to_erase',
        text: `select id from webhook_deliveries where account_id = $1 and endpoint_id = $2
               order by id desc limit ${deliveriesAtOnce} for update`,
        values: [accountId, endpointId],
      });
      const values = [accountId, deliveries.map(({ id }) => id)];
      await tx.query({
        name: 'erase_attempts',
        text: `delete from webhook_attempts a using webhook_deliveries d
               where d.account_id = $1 and d.id = any ($2::uuid[]) and a.delivery_id = d.id`,
        values,
      });
      await tx.query({
        name: 'erase_deliveries',
        text: 'delete from webhook_deliveries where account_id = $1 and id = any ($2::uuid[])',
        values,
      });
      return deliveries.length;
    });
    if (deleted < deliveriesAtOnce) return;
  }
}
