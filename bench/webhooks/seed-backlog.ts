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

/** Adds `count` deliveries that have ended, spread over the endpoints. Their events are left out, as if retention had removed them. */
export async function seedDelivered({ db }: WebhookBench, endpoints: string[], count: number): Promise<void> {
  const atOnce = 1_000_000;
  for (let done = 0; done < count; done += atOnce) {
    await db.query({
      name: '',
      text: `insert into webhook_deliveries (id, account_id, endpoint_id, event_id, status, settled_at, created_at)
             select ${timeOrdered('$3')}, e.account_id, e.id, ${timeOrdered('$3')}, 'delivered', '2026-01-01', '2026-01-01'
             from generate_series($2::int, $2::int + $4::int - 1) as n
             join webhook_endpoints e on e.id = ($1::uuid[])[1 + n % ${endpoints.length}]`,
      values: [endpoints, done, Date.UTC(2025, 11, 1) + done / 1000, Math.min(atOnce, count - done)],
    });
  }
}

/** SQL for ids that ascend as UUIDv7 does. Random ids would write to every page of the index. */
function timeOrdered(milliseconds: string): string {
  return `(lpad(to_hex(${milliseconds}::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid`;
}
