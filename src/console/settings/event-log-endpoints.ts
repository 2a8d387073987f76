import { Type } from 'typebox';
import { eventDetailJson, eventJson } from '../../documents/event-json.ts';
import { type EventFilter, readEventLog } from '../../documents/event-log.ts';
import { findLoggedEvent } from '../../documents/logged-event.ts';
import { findRedeliverable, type RedeliverOptions, redeliverEvents } from '../../documents/redeliver-events.ts';
import type { Query } from '../../http/page-request.ts';
import { isUuid, madeAt } from '../../platform/ids.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../webhooks/delivery-status.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { openList } from '../core/open-list.ts';
import { readChoice, readOne, readSearch, readTime } from '../core/read-filter.ts';
import { unlessTooMany } from './too-many-events.ts';
import { findOwnEndpoint } from './webhook-endpoints.ts';

const text = Type.Optional(Type.String());
const aRedelivery = Type.Object({ endpoint_id: text, event: text, status: text, search: text, from: text, to: text });

/** The webhook events of the company, and redelivering those that match a filter. */
export const eventLogEndpoints = [
  forMembers('GET /event-log', 'admin', {}, listPage),
  forMembers('GET /event-log/redelivery', 'admin', {}, count),
  forMembers('POST /event-log/redelivery', 'admin', { body: aRedelivery }, redeliver),
  forMembers('GET /event-log/:id', 'admin', {}, show),
];

/**
 * Lists events. Filters: `event`, `status`, `search` (an event id, a document id or words of a title), `from` and `to`. A
 * search stops after a limited number of events. `has_more` is then true although the page has few items, and `searched_to`
 * is the time reached.
 */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const filter = readFilter(call.query);
  const { accountId, limit, afterId, answer } = openList(deps, call, `event log ${JSON.stringify(filter)}`);
  const { rows, lookedTo } = await readEventLog(deps.db, accountId, filter, { afterId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const isFull = rows.length > limit;
  return {
    ...answer(page.map(eventJson), isFull ? (page.at(-1)?.id ?? null) : lookedTo),
    searched_to: isFull || lookedTo === null ? null : madeAt(lookedTo).toISOString(),
  };
}

/** Shows an event with its body, byte for byte as endpoints get it, and its deliveries. */
async function show({ db }: ConsoleDeps, { caller, params }: MemberCall) {
  const { id = '' } = params;
  const found = isUuid(id) ? await findLoggedEvent(db, caller.membership.account_id, id) : null;
  if (found === null) throw new ConsoleError('not_found');
  return eventDetailJson(found);
}

/** Counts what `POST /event-log/redelivery` would redeliver with the same filter and `endpoint_id`. */
async function count({ db }: ConsoleDeps, call: MemberCall) {
  const options = await readOptions(db, call, call.query);
  const { eventIds, deliveries } = await unlessTooMany(() => findRedeliverable(db, options));
  return { events: eventIds.length, deliveries };
}

/** Redelivers the matching events to one endpoint, or without `endpoint_id` to all that chose their types. */
async function redeliver({ world, db }: ConsoleDeps, call: MemberCall<Query>) {
  const options = await readOptions(db, call, call.body);
  const found = await unlessTooMany(() => findRedeliverable(db, options));
  return { redelivered: await redeliverEvents(world, db, options, found, call.caller.person.id) };
}

async function readOptions(db: ConsoleDeps['db'], call: MemberCall, wanted: Query): Promise<RedeliverOptions> {
  const id = readOne(wanted, 'endpoint_id', () => true);
  const endpoint = id === null ? null : await findOwnEndpoint(db, { ...call, params: { id } });
  const { account_id: accountId } = call.caller.membership;
  return { accountId, filter: readFilter(wanted), endpointId: endpoint?.id ?? null };
}

function readFilter(query: Query): EventFilter {
  return {
    type: readChoice<EventType>(query, 'event', eventTypes),
    status: readChoice<DeliveryStatus>(query, 'status', deliveryStatuses),
    text: readSearch(query),
    from: readTime(query, 'from'),
    to: readTime(query, 'to'),
  };
}
