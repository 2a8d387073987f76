import { Type } from 'typebox';
import { testDocument } from '../documents/test-document.ts';
import { readStatusFilter } from '../http/page-request.ts';
import {
  type Delivery,
  deliveryStatuses,
  findDelivery,
  pageDeliveries,
  readEventBody,
} from '../webhooks/deliveries.ts';
import { type EventType, eventTypes } from '../webhooks/event-types.ts';
import { redeliver } from '../webhooks/redeliver.ts';
import { redeliverFailed } from '../webhooks/redeliver-failed.ts';
import { sendTestEvent } from '../webhooks/send-test-event.ts';
import { isUuid } from '../world/ids.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { readListPage, type Wanted } from './read-list-page.ts';
import { findOwnEndpoint } from './webhook-endpoints.ts';

const aTest = Type.Object({ event: Type.Enum([...eventTypes]) });
const utcTime = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' });

/** What was delivered to the company's webhook endpoints, and what somebody wants delivered again. */
export const deliveryEndpoints: ConsoleEndpoint[] = [
  forMembers('GET /webhooks/:id/deliveries', 'admin', {}, listPage),
  forMembers('POST /webhooks/:id/test', 'admin', { body: aTest }, sendTest),
  forMembers('POST /webhooks/:id/redeliver-failed', 'admin', { body: Type.Object({ since: utcTime }) }, again),
  forMembers('GET /deliveries/:id', 'admin', {}, show),
  forMembers('POST /deliveries/:id/redeliver', 'admin', {}, redeliverOne),
];

/** `status` is one of a delivery's. The cursor belongs to the endpoint and the filter. */
async function listPage(means: ConsoleMeans, call: MemberCall) {
  const endpoint = await findOwnEndpoint(means.db, call);
  const [status = null, more] = readStatusFilter(call.query.status, deliveryStatuses) ?? [];
  if (more !== undefined) throw new ConsoleError('invalid_input', { param: 'status' });
  const read = ({ afterId, limit }: Wanted) => pageDeliveries(means.db, endpoint.id, { status, afterId, limit });
  return readListPage(means, call, `deliveries ${endpoint.id} ${status ?? ''}`, read, deliveryJson);
}

async function sendTest({ world, db }: ConsoleMeans, call: MemberCall<{ event: EventType }>) {
  const { id } = await findOwnEndpoint(db, call);
  const { event } = call.body;
  const delivery = await sendTestEvent(world, db, id, event, testDocument(world, event));
  if (delivery === null) throw new ConsoleError('not_found');
  return deliveryJson(delivery);
}

/** Every event that all deliveries of failed, recorded since then. */
async function again({ world, db }: ConsoleMeans, call: MemberCall<{ since: string }>) {
  const { id } = await findOwnEndpoint(db, call);
  const { since } = call.body;
  if (Number.isNaN(Date.parse(since))) throw new ConsoleError('invalid_input', { param: 'since' });
  return { redelivered: await redeliverFailed(world, db, id, since, call.caller.person.id) };
}

/** With the body that its receiver gets, byte for byte. */
async function show({ db }: ConsoleMeans, call: MemberCall) {
  const delivery = await findOwn(db, call);
  return { ...deliveryJson(delivery), request_body: await readEventBody(db, delivery.id) };
}

async function redeliverOne({ world, db }: ConsoleMeans, call: MemberCall) {
  const delivery = await findOwn(db, call);
  const fresh = await db.transaction((tx) => redeliver(world, tx, delivery.id, call.caller.person.id));
  if (fresh === null) throw new ConsoleError('not_found');
  return deliveryJson(fresh);
}

async function findOwn(db: ConsoleMeans['db'], call: MemberCall): Promise<Delivery> {
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
