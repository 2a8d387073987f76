import type { LoggedEvent } from './event-log.ts';
import type { EventDelivery, EventDetail } from './logged-event.ts';

/** An event of the log as the console and the command line show it. */
export function eventJson({ id, type, created_at, status, document_id, title, is_restricted }: LoggedEvent) {
  return {
    id,
    event: type,
    created_at,
    status,
    /** Null for a test event. */
    document: document_id === null ? null : { id: document_id, title, is_restricted },
  };
}

/** An event with its body and deliveries. `request_body` is the text that endpoints with version 1 get. */
export function eventDetailJson({ event, deliveries }: EventDetail) {
  return { ...eventJson(event), request_body: event.body, deliveries: deliveries.map(eventDeliveryJson) };
}

function eventDeliveryJson(delivery: EventDelivery) {
  const { id, endpoint_id, url, is_removed, status, redelivery_of, created_at, ...tried } = delivery;
  const { attempts, last_status_code, last_error } = tried;
  return {
    id,
    endpoint: { id: endpoint_id, url, is_removed },
    status,
    redelivery_of,
    created_at,
    attempts,
    last_status_code,
    last_error,
  };
}
