import { Type } from 'typebox';
import { testDocument } from '../../documents/test-document.ts';
import { readStatusFilter } from '../../http/page-request.ts';
import { isUuid } from '../../platform/ids.ts';
import {
  type Delivery,
  deliveryStatuses,
  findDelivery,
  pageDeliveries,
  readEventBody,
} from '../../webhooks/deliveries.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import { redeliver } from '../../webhooks/redeliver.ts';
import { redeliverFailed } from '../../webhooks/redeliver-failed.ts';
import { sendTestEvent } from '../../webhooks/send-test-event.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { type PagePosition, readListPage } from '../core/open-list.ts';
import { findOwnEndpoint } from './webhook-endpoints.ts';

const aTest = Type.Object({ event: Type.Enum([...eventTypes]) });
const utcTime = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' });

/** Deliveries to the company's webhook endpoints, and repeating them. */
export const deliveryEndpoints = [
  forMembers('GET /webhooks/:id/deliveries', 'admin', {}, listPage),
  forMembers('POST /webhooks/:id/test', 'admin', { body: aTest }, sendTest),
  forMembers('POST /webhooks/:id/redeliver-failed', 'admin', { body: Type.Object({ since: utcTime }) }, again),
  forMembers('GET /deliveries/:id', 'admin', {}, show),
  forMembers('POST /deliveries/:id/redeliver', 'admin', {}, redeliverOne),
];

/** Lists deliveries, optionally by `status`. The cursor is valid for one endpoint and status. */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const endpoint = await findOwnEndpoint(deps.db, call);
  const [status = null, more] = readStatusFilter(call.query.status, deliveryStatuses) ?? [];
  if (more !== undefined) throw new ConsoleError('invalid_input', { param: 'status' });
  const read = ({ afterId, limit }: PagePosition) => pageDeliveries(deps.db, endpoint.id, { status, afterId, limit });
  return readListPage(deps, call, `deliveries ${endpoint.id} ${status ?? ''}`, read, deliveryJson);
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
  const { since } = call.body;
  if (Number.isNaN(Date.parse(since))) throw new ConsoleError('invalid_input', { param: 'since' });
  return { redelivered: await redeliverFailed(world, db, id, since, call.caller.person.id) };
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
