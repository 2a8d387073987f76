import { insertMany } from './insert-many.ts';
import type { TestService } from './service.ts';
import { deliveriesOf } from './webhooks.ts';

/**
 * Adds delivered events of a document to an endpoint, all of now, and lets two minutes pass. Returns the events of all
 * deliveries there, the oldest first.
 */
export async function addDelivered(
  app: TestService,
  { accountId, documentId, endpointId }: { accountId: string; documentId: string; endpointId: string },
  count: number,
): Promise<string[]> {
  const now = app.clock.now();
  const prefix = now.getTime().toString(16).padStart(12, '0');
  const id = (kind: string) => `($6 || '70008000${kind}' || lpad(to_hex(n), 11, '0'))::uuid`;
  await insertMany(
    app.db,
    count,
    `with event as (
       insert into events (id, account_id, document_id, type, body, created_at)
       select ${id('a')}, $3, $4, 'document.sent', '{}', $7::timestamptz from generate_series($1::int, $2::int) n
     )
     insert into webhook_deliveries (id, account_id, endpoint_id, event_id, status, created_at, settled_at)
     select ${id('b')}, $3, $5, ${id('a')}, 'delivered', $7, $7 from generate_series($1::int, $2::int) n`,
    [accountId, documentId, endpointId, prefix, now],
  );
  app.clock.advance({ minutes: 2 });
  const rows = await deliveriesOf(app, endpointId);
  return rows.map(({ event_id }) => event_id);
}
