import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { type DeliveryFilter, isFiltered } from './delivery-filter.ts';
import type { DeliveryStatus } from './delivery-status.ts';
import { type DeliveryWalk, deliveriesLookedAtMax, endOfWalk, walkOf } from './delivery-walk.ts';
import type { EventType } from './event-types.ts';
import { type PayloadVersion, payloadOf } from './payload-versions.ts';

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

export interface FoundDeliveries {
  rows: Delivery[];
  /** Position to continue from. Null when everything was searched. */
  lookedTo: string | null;
}

/** Reads a page of an endpoint's deliveries, newest first, after `afterId`. A search ends after a limited number. */
export async function pageDeliveries(
  db: Queryable,
  endpoint: { id: string; account_id: string },
  filter: DeliveryFilter,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<FoundDeliveries> {
  const lookedAtMax = isFiltered(filter) ? deliveriesLookedAtMax : limit;
  const walk = await walkOf(db, { endpoint, filter, order: 'newest_first', afterId, lookedAtMax });
  const found = await db.query<{ id: string }>({
    name: `search_deliveries_${walk.name}`,
    text: searchText(walk),
    values: [...walk.values, limit],
  });
  const ids = found.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await readDeliveries(db, ids);
  return { rows, lookedTo: ids.length >= limit ? null : await endOfWalk(db, walk) };
}

/** Parameter $12: the maximum number of results. */
export function searchText({ text, condition, direction }: DeliveryWalk): string {
  return `select d.id from (${text}) d where ${condition} order by d.id ${direction} limit $12`;
}

/** Lists deliveries of an endpoint, newest first, also of a removed one. Null when the endpoint never existed. */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  filter: DeliveryFilter,
  limit: number,
): Promise<Delivery[] | null> {
  const [endpoint] = await db.query<{ id: string; account_id: string }>({
    name: 'find_endpoint_ever',
    text: 'select id, account_id from webhook_endpoints where id = $1',
    values: [endpointId],
  });
  if (endpoint === undefined) return null;
  const listed: Delivery[] = [];
  let afterId: string | null = null;
  do {
    const page: FoundDeliveries = await pageDeliveries(db, endpoint, filter, { afterId, limit: limit - listed.length });
    listed.push(...page.rows);
    afterId = page.lookedTo;
  } while (afterId !== null && listed.length < limit);
  return listed;
}

/** Returns the body that is sent for a delivery. Null when the delivery does not exist. */
export async function readEventBody(db: Queryable, deliveryId: string): Promise<string | null> {
  const [found] = await db.query<{ body: string; payload_version: PayloadVersion }>({
    name: 'read_event_body',
    text: `select e.body, d.payload_version from webhook_deliveries d join events e on e.id = d.event_id where d.id = $1`,
    values: [deliveryId],
  });
  return found === undefined ? null : payloadOf(found.body, found.payload_version);
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
