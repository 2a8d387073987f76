import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { EventType } from './event-types.ts';

export const deliveryStatuses = ['pending', 'delivered', 'dead'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The delivery of one event to one endpoint, as operators see it. */
export interface Delivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  event: EventType;
  status: DeliveryStatus;
  /** The delivery that this one repeats. */
  redelivery_of: string | null;
  created_at: Timestamp;
  /** Null once it is delivered or dead. */
  next_attempt_at: Timestamp | null;
  /** Oldest first. */
  attempts: RecordedAttempt[];
}

export interface RecordedAttempt {
  at: Timestamp;
  /** Null when no response came. */
  status_code: number | null;
  /** Null when the response needs no explanation. */
  error: string | null;
  /** Its first 2 KiB. */
  response_body: string | null;
  duration_ms: number;
}

export interface DeliveryFilter {
  /** Null: all. */
  status: DeliveryStatus | null;
  limit: number;
}

/** Lists deliveries of an endpoint, newest first, also of a removed one. Null when the endpoint never existed. */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  { status, limit }: DeliveryFilter,
): Promise<Delivery[] | null> {
  const rows = await db.query<{ id: string | null }>({
    name: 'list_deliveries',
    text: `select d.id from webhook_endpoints e left join lateral (
             select id from webhook_deliveries where endpoint_id = e.id and ($2::text is null or status = $2)
             order by id desc limit $3
           ) d on true
           where e.id = $1`,
    values: [endpointId, status, limit],
  });
  if (rows.length === 0) return null;
  return readDeliveries(
    db,
    rows.map(({ id }) => id).filter((id) => id !== null),
  );
}

/** Returns a page of an endpoint's deliveries, newest first, after `afterId`. */
export async function pageDeliveries(
  db: Queryable,
  endpointId: string,
  { status, afterId, limit }: DeliveryFilter & { afterId: string | null },
): Promise<Delivery[]> {
  const rows = await db.query<{ id: string }>({
    name: 'page_deliveries',
    text: `select id from webhook_deliveries
           where endpoint_id = $1 and ($2::text is null or status = $2) and ($3::uuid is null or id < $3)
           order by id desc limit $4`,
    values: [endpointId, status, afterId, limit],
  });
  return readDeliveries(
    db,
    rows.map(({ id }) => id),
  );
}

/** Returns the body that is sent for a delivery. Null when the delivery does not exist. */
export async function readEventBody(db: Queryable, deliveryId: string): Promise<string | null> {
  const rows = await db.query<{ body: string }>({
    name: 'read_event_body',
    text: 'select e.body from webhook_deliveries d join events e on e.id = d.event_id where d.id = $1',
    values: [deliveryId],
  });
  return rows[0]?.body ?? null;
}

export async function findDelivery(db: Queryable, id: string): Promise<Delivery | null> {
  return (await readDeliveries(db, [id]))[0] ?? null;
}

type DeliveryRow = Omit<Delivery, 'attempts'> & { [Field in keyof RecordedAttempt]: RecordedAttempt[Field] | null };

/** Reads in one statement, so that deliveries and attempts match while a worker is running. */
async function readDeliveries(db: Queryable, ids: readonly string[]): Promise<Delivery[]> {
  const rows = await db.query<DeliveryRow>({
    name: 'read_deliveries',
    text: `select d.id, d.endpoint_id, d.event_id, e.type as event, d.status, d.redelivery_of, d.created_at,
             d.next_attempt_at, a.at, a.status_code, a.error, a.response_body, a.duration_ms
           from webhook_deliveries d
           join events e on e.id = d.event_id
           left join webhook_attempts a on a.delivery_id = d.id
           where d.id = any ($1::uuid[]) order by d.id desc, a.number`,
    values: [ids],
  });
  const deliveries = new Map<string, Delivery>();
  for (const { at, status_code, error, response_body, duration_ms, ...row } of rows) {
    const delivery = deliveries.get(row.id) ?? { ...row, attempts: [] };
    deliveries.set(row.id, delivery);
    if (at !== null && duration_ms !== null) {
      delivery.attempts.push({ at, status_code, error, response_body, duration_ms });
    }
  }
  return [...deliveries.values()];
}
