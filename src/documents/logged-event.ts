import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { DeliveryStatus } from '../webhooks/delivery-status.ts';
import { eventStatus } from '../webhooks/event-deliveries.ts';
import { listEndpoints } from '../webhooks/manage-endpoints.ts';
import type { LoggedEvent } from './event-log.ts';

/** A delivery of an event, with the result of its last attempt. */
export interface EventDelivery {
  id: string;
  endpoint_id: string;
  url: string;
  /** Whether the endpoint was removed since. */
  is_removed: boolean;
  status: DeliveryStatus;
  redelivery_of: string | null;
  created_at: Timestamp;
  attempts: number;
  /** Null when no response came. */
  last_status_code: number | null;
  last_error: string | null;
}

export interface EventDetail {
  /** `body`: as it is sent, byte for byte. */
  event: LoggedEvent & { body: string };
  /** Endpoint by endpoint, newest first. */
  deliveries: EventDelivery[];
}

const deliveriesMax = 200;

/** Returns an event of an account with its body and deliveries. Null when the account has no such event. */
export async function findLoggedEvent(db: Queryable, accountId: string, id: string): Promise<EventDetail | null> {
  const [event, deliveries] = await Promise.all([readEvent(db, accountId, id), listDeliveriesOf(db, accountId, id)]);
  return event && { event, deliveries };
}

async function readEvent(db: Queryable, accountId: string, id: string): Promise<EventDetail['event'] | null> {
  const endpoints = await listEndpoints(db, accountId);
  const rows = await db.query<EventDetail['event']>({
    name: 'read_logged_event',
    text: `select e.id, e.type, e.created_at, e.document_id, d.restricted_kind is not null as is_restricted,
             case when d.restricted_kind is null then d.title end as title, e.body,
             ${eventStatus('e.id', '$3::uuid[]')} as status
           from events e left join documents d on d.account_id = $1 and d.id = e.document_id
           where e.account_id = $1 and e.id = $2`,
    values: [accountId, id, endpoints.map((endpoint) => endpoint.id)],
  });
  return rows[0] ?? null;
}

function listDeliveriesOf(db: Queryable, accountId: string, id: string): Promise<EventDelivery[]> {
  return db.query<EventDelivery>({
    name: 'list_deliveries_of_event',
    text: `select d.id, d.endpoint_id, e.url, e.removed_at is not null as is_removed, d.status, d.redelivery_of,
             d.created_at, coalesce(a.number, 0) as attempts, a.status_code as last_status_code, a.error as last_error
           from (
             select * from webhook_deliveries where event_id = $2 and redelivery_of is null
             union all
             select * from webhook_deliveries where event_id = $2 and redelivery_of is not null
           ) d
           join webhook_endpoints e on e.id = d.endpoint_id
           left join lateral (
             select number, status_code, error from webhook_attempts where delivery_id = d.id order by number desc limit 1
           ) a on true
           where d.account_id = $1
           order by d.endpoint_id, d.id desc limit ${deliveriesMax}`,
    values: [accountId, id],
  });
}
