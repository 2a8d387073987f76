import { sampleDocument, type WebhookBench } from './open-bench.ts';

/** Adds `count` events, each with a pending delivery to the endpoint. */
export async function seedBacklog({ db, world }: WebhookBench, endpointId: string, count: number): Promise<void> {
  await db.query({
    name: '',
    text: `with given as (
             select ${timeOrdered('$4')} as event_id, ${timeOrdered('$4')} as delivery_id, account_id
             from webhook_endpoints, generate_series(1, $2::int) as n where id = $1
           ), event as (
             insert into events (id, account_id, type, body, created_at)
             select event_id, account_id, 'document.sent', $3, '2026-01-01' from given
           )
           insert into webhook_deliveries (id, account_id, endpoint_id, event_id, status, next_attempt_at, created_at)
           select delivery_id, account_id, $1, event_id, 'pending', '2026-01-01', '2026-01-01' from given`,
    values: [
      endpointId,
      count,
      JSON.stringify({ id: world.newId(), event: 'document.sent', data: { document: sampleDocument } }),
      Date.now(),
    ],
  });
}

/** SQL for ids that ascend as UUIDv7 does. Random ids would write to every page of the index. */
function timeOrdered(milliseconds: string): string {
  return `(lpad(to_hex(${milliseconds}::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid`;
}
