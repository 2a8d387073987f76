import type { eventDetailJson } from '../../documents/event-json.ts';
import type { Delivery, RecordedAttempt } from '../../webhooks/deliveries.ts';
import type { WebhookEndpoint } from '../../webhooks/endpoint.ts';
import { eventTypes } from '../../webhooks/event-types.ts';
import { card, oneLine, table } from '../core/terminal.ts';

/** Endpoints and deliveries for output: all fields for scripts, the state for people. */

export function endpointJson(endpoint: WebhookEndpoint) {
  const { id, url, events, created_at, paused_at, paused_by, failing_since, rate_limit, payload_version } = endpoint;
  return { id, url, events, created_at, paused_at, paused_by, failing_since, rate_limit, payload_version };
}

export type EndpointJson = ReturnType<typeof endpointJson>;

export function showEndpoint({
  events,
  paused_at,
  paused_by,
  failing_since,
  rate_limit,
  payload_version,
  ...rest
}: EndpointJson): string {
  const { id, url, created_at, ...secret } = rest;
  const state = stateOf({ paused_at, paused_by, failing_since });
  const limit = rate_limit === null ? {} : { limit: `${rate_limit} a second` };
  const payload = payload_version === 1 ? {} : { payload: `version ${payload_version}` };
  return card({ id, url, events: eventList(events), state, ...limit, ...payload, created_at, ...secret });
}

export function showEndpoints(endpoints: readonly EndpointJson[]): string {
  const rows = endpoints.map(({ id, url, events, created_at, ...health }) => {
    return { id, created_at, events: eventList(events), state: stateOf(health), url };
  });
  return table(rows, 'no webhook endpoints');
}

function eventList(events: readonly string[]): string {
  return events.length === eventTypes.length ? 'all' : events.join(',');
}

function stateOf({
  paused_at,
  paused_by,
  failing_since,
}: Pick<EndpointJson, 'paused_at' | 'paused_by' | 'failing_since'>) {
  if (paused_at !== null) {
    return paused_by === 'failures' ? `paused ${paused_at}: it failed for days` : `paused ${paused_at}`;
  }
  return failing_since === null ? 'active' : `failing since ${failing_since}`;
}

export function deliveryJson(delivery: Delivery) {
  const { id, event_id, event, status, attempts, next_attempt_at, redelivery_of, created_at } = delivery;
  return { id, event_id, event, status, attempts, next_attempt_at, redelivery_of, created_at };
}

export type DeliveryJson = ReturnType<typeof deliveryJson>;

export function showDeliveries(deliveries: readonly DeliveryJson[]): string {
  return deliveries.map(showDelivery).join('\n') || 'no deliveries\n';
}

export function showDelivery({ id, event, event_id, status, attempts, next_attempt_at, redelivery_of }: DeliveryJson) {
  const due = next_attempt_at === null ? '' : `, due ${next_attempt_at}`;
  const again = redelivery_of === null ? '' : `, redelivery of ${redelivery_of}`;
  const tried = attempts.length === 0 ? ['  no attempt'] : attempts.map(attemptLine);
  const lines = [`${id}  ${event}  ${status}${due}`, `  event ${event_id}${again}`, ...tried];
  return lines.map((line) => `${line}\n`).join('');
}

type EventDetailJson = ReturnType<typeof eventDetailJson>;

export function showEventDetail({ id, event, created_at, status, document, ...sent }: EventDetailJson): string {
  const about = document === null ? 'test event' : (document.title ?? `restricted document ${document.id}`);
  const deliveries = sent.deliveries.map(({ endpoint, ...delivery }) => {
    const { attempts, last_status_code, last_error, status } = delivery;
    const outcome = [last_status_code, last_error].filter((part) => part !== null).join(', ');
    return { delivery: delivery.id, created_at: delivery.created_at, status, attempts, outcome, url: endpoint.url };
  });
  return `${card({ id, event, created_at, status, document: about })}\n${oneLine(sent.request_body)}\n\n${table(deliveries, 'no deliveries')}`;
}

/** The start of an answer, enough to see what went wrong. */
const bodyLengthShown = 100;

function attemptLine({ at, status_code, error, response_body, duration_ms }: RecordedAttempt): string {
  const outcome = [status_code, error].filter((part) => part !== null).join(', ');
  const body = [...(response_body ?? '').trim()];
  const shown = body.length > bodyLengthShown ? `${body.slice(0, bodyLengthShown).join('')}…` : body.join('');
  return oneLine(`  ${at}  ${outcome} (${duration_ms} ms)${shown === '' ? '' : `: ${shown}`}`);
}
