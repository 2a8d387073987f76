import { currentTraceparent } from '../platform/tracing/spans.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { endpointsMax } from './endpoint.ts';
import type { EventType } from './event-types.ts';
import { deliveriesChannel, dueAtOnce } from './wake.ts';

export interface NewEvent {
  accountId: string;
  /** Null for a test event. */
  documentId: string | null;
  type: EventType;
  /** The document as the API shows it. For a restricted document, only its id. */
  document: object;
}

/**
 * Records an event in the transaction of the change that caused it, and enqueues a delivery for each endpoint that chose
 * its type, due at once even if this process's clock is ahead of the database's. Deliveries of a paused endpoint wait until it
 * is resumed. Workers are notified after the commit. Returns the id.
 */
export async function recordEvent(world: World, tx: Tx, event: NewEvent): Promise<string> {
  const { id, createdAt, body } = composeEvent(world, event.type, event.document);
  const enqueued = await tx.query({
    name: 'record_event',
    text: `with event as (
             insert into events (id, account_id, document_id, type, body, created_at, traceparent)
             values ($1, $2, $3, $4, $5, $6, $8)
           ), enqueued as (
             insert into webhook_deliveries 
               (id, account_id, endpoint_id, event_id, payload_version, status, next_attempt_at, created_at)
             select ($7::uuid[])[slot], account_id, id, $1, payload_version, 'pending', ${dueAtOnce('$6')}, $6
             from webhook_endpoints where account_id = $2 and $4 = any (events) and removed_at is null
             returning id
           )
           select from enqueued limit 1`,
    values: [
      id,
      event.accountId,
      event.documentId,
      event.type,
      body,
      createdAt,
      deliveryIds(world),
      currentTraceparent(),
    ],
  });
  if (enqueued.length > 0) tx.notify(deliveriesChannel);
  return id;
}

/**
 * Returns the event's id, the time it was recorded, and its body, from which `payloadOf` makes what a receiver gets. The body is
 * stored once. Only `concealDocument` changes it.
 */
export function composeEvent(world: World, type: EventType, document: object) {
  const id = world.newId();
  const createdAt: Timestamp = world.clock.now().toISOString();
  return { id, createdAt, body: bodyOf({ id, type, created_at: createdAt }, document) };
}

function bodyOf({ id, type, created_at }: { id: string; type: EventType; created_at: Timestamp }, document: object) {
  return JSON.stringify({ id, event: type, created_at, data: { document } });
}

/** Reduces the events of a document that has become restricted to its id, including those with pending deliveries. */
export async function concealDocument(tx: Tx, accountId: string, documentId: string): Promise<void> {
  const events = await tx.query<{ id: string; type: EventType; created_at: Timestamp }>({
    name: 'events_to_conceal',
    text: 'select id, type, created_at from events where account_id = $1 and document_id = $2',
    values: [accountId, documentId],
  });
  await tx.query({
    name: 'conceal_document',
    text: `update events e set body = concealed.body from unnest($1::uuid[], $2::text[]) as concealed (id, body)
           where e.id = concealed.id`,
    values: [events.map(({ id }) => id), events.map((event) => bodyOf(event, { id: documentId }))],
  });
}

/** Returns one id for each slot of an account. Only the statement knows which slots are taken. */
function deliveryIds(world: World): string[] {
  return Array.from({ length: endpointsMax }, world.newId);
}
