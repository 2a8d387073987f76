import { Type } from 'typebox';
import { testDocument } from '../../documents/test-document.ts';
import type { Query } from '../../http/page-request.ts';
import { isUuid, madeAt } from '../../platform/ids.ts';
import { parseInstant } from '../../platform/parse-instant.ts';
import { type Delivery, findDelivery, pageDeliveries, readEventBody } from '../../webhooks/deliveries.ts';
import { type AnswerClass, answerClasses, type DeliveryFilter } from '../../webhooks/delivery-filter.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../webhooks/delivery-status.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import { redeliver } from '../../webhooks/redeliver.ts';
import { redeliverFailed } from '../../webhooks/redeliver-failed.ts';
import { countMatching, type MatchingDeliveries, redeliverPortion } from '../../webhooks/redeliver-matching.ts';
import { sendTestEvent } from '../../webhooks/send-test-event.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { openList } from '../core/open-list.ts';
import { readChoice, readOne, readTime } from '../core/read-filter.ts';
import { unlessTooMany } from './too-many-events.ts';
import { findOwnEndpoint } from './webhook-endpoints.ts';

const aTest = Type.Object({ event: Type.Enum([...eventTypes]) });
const utcTime = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' });
const text = Type.Optional(Type.String());
const aRedelivery = Type.Object({
  status: text,
  event: text,
  answer: text,
  search: text,
  from: text,
  to: text,
  counted_at: utcTime,
  after: Type.Optional(Type.String()),
});

/** Deliveries to the company's webhook endpoints, and repeating them. */
export const deliveryEndpoints = [
  forMembers('GET /webhooks/:id/deliveries', 'admin', {}, listPage),
  forMembers('POST /webhooks/:id/test', 'admin', { body: aTest }, sendTest),
  forMembers('POST /webhooks/:id/redeliver-failed', 'admin', { body: Type.Object({ since: utcTime }) }, again),
  forMembers('GET /webhooks/:id/redelivery', 'admin', {}, count),
  forMembers('POST /webhooks/:id/redelivery', 'admin', { body: aRedelivery }, redeliverSome),
  forMembers('GET /deliveries/:id', 'admin', {}, show),
  forMembers('POST /deliveries/:id/redeliver', 'admin', {}, redeliverOne),
];

/**
 * Lists deliveries. Filters: `status`, `event`, `answer` (`2xx`, …, `none`), `search` (an event id or a document id), `from`
 * and `to`. A search stops after a limited number of deliveries. `has_more` is then true although the page has few items, and
 * `searched_to` is the time reached.
 */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const endpoint = await findOwnEndpoint(deps.db, call);
  const filter = readFilter(call.query);
  const { limit, afterId, answer } = openList(deps, call, `deliveries ${endpoint.id} ${JSON.stringify(filter)}`);
  const { rows, lookedTo } = await pageDeliveries(deps.db, endpoint, filter, { afterId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const isFull = rows.length > limit;
  return {
    ...answer(page.map(deliveryJson), isFull ? (page.at(-1)?.id ?? null) : lookedTo),
    searched_to: isFull || lookedTo === null ? null : madeAt(lookedTo).toISOString(),
  };
}

function readFilter(query: Query): DeliveryFilter {
  return {
    status: readChoice<DeliveryStatus>(query, 'status', deliveryStatuses),
    event: readChoice<EventType>(query, 'event', eventTypes),
    answer: readChoice<AnswerClass>(query, 'answer', answerClasses),
    about: readOne(query, 'search', (value) => isUuid(value.trim()))?.trim() ?? null,
    from: readTime(query, 'from'),
    to: readTime(query, 'to'),
  };
}

/** Counts the events that `POST /webhooks/:id/redelivery` would send again with the same filter and `counted_at`. */
async function count({ world, db }: ConsoleDeps, call: MemberCall) {
  const countedAt = world.clock.now();
  const matching = { endpoint: await findOwnEndpoint(db, call), filter: readFilter(call.query), countedAt };
  return { events: await unlessTooMany(() => countMatching(db, matching)), counted_at: countedAt.toISOString() };
}

/**
 * Redelivers a portion of the matching events, oldest first. `next` is the `after` of the following request, or null at the
 * end. So the page shows how far it is, and can stop. An event is sent again once for each `counted_at`.
 */
async function redeliverSome({ world, db }: ConsoleDeps, call: MemberCall<Query & { counted_at: string }>) {
  const { body, caller } = call;
  const countedAt = readTime(body, 'counted_at');
  if (countedAt === null) throw new ConsoleError('invalid_input', { param: 'counted_at' });
  const after = readOne(body, 'after', isUuid);
  const endpoint = await findOwnEndpoint(db, call);
  const matching: MatchingDeliveries = { endpoint, filter: readFilter(body), countedAt };
  return redeliverPortion(world, db, matching, after, caller.person.id);
}

async function sendTest({ world, db }: ConsoleDeps, call: MemberCall<{ event: EventType }>) {
  const { id } = await findOwnEndpoint(db, call);
  const { event } = call.body;
  const delivery = await sendTestEvent(world, db, id, event, testDocument(world, event));
  if (delivery === null) throw new ConsoleError('not_found');
  return deliveryJson(delivery);
}

/** Repeats every event since then for which all deliveries failed. */
async function again({ world, db }: ConsoleDeps, call: MemberCall<{ since: string }>) {
  const { id } = await findOwnEndpoint(db, call);
  const since = parseInstant(call.body.since);
  if (since === null) throw new ConsoleError('invalid_input', { param: 'since' });
  return { redelivered: await redeliverFailed(world, db, id, since.toISOString(), call.caller.person.id) };
}

/** Shows a delivery with its body, byte for byte as its receiver gets it. */
async function show({ db }: ConsoleDeps, call: MemberCall) {
  const delivery = await findOwn(db, call);
  return { ...deliveryJson(delivery), request_body: await readEventBody(db, delivery.id) };
}

async function redeliverOne({ world, db }: ConsoleDeps, call: MemberCall) {
  const delivery = await findOwn(db, call);
  const fresh = await db.transaction((tx) => redeliver(world, tx, delivery.id, call.caller.person.id));
  if (fresh === null) throw new ConsoleError('not_found');
  return deliveryJson(fresh);
}

async function findOwn(db: ConsoleDeps['db'], call: MemberCall): Promise<Delivery> {
  const { id = '' } = call.params;
  const delivery = isUuid(id) ? await findDelivery(db, id) : null;
  if (delivery === null) throw new ConsoleError('not_found');
  await findOwnEndpoint(db, { ...call, params: { id: delivery.endpoint_id } });
  return delivery;
}

function deliveryJson(delivery: Delivery) {
  const { id, event_id, event, status, attempts, next_attempt_at, redelivery_of, created_at } = delivery;
  return { id, event_id, event, status, attempts, next_attempt_at, redelivery_of, created_at };
}
