import type { Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';

export type EventType =
  | 'document.sent'
  | 'document.viewed'
  | 'document.signed'
  | 'document.completed'
  | 'document.declined'
  | 'document.voided';

export interface NewEvent {
  accountId: string;
  documentId: string;
  type: EventType;
  /** The document as the API shows it; for a sensitive paper only its id (spec.md, Events). */
  document: object;
}

/**
 * Writes the event in the transaction of the change it tells of. The body is stored as the bytes every receiver will
 * get; `created_at` is the time of recording, not of delivery.
 */
export async function recordEvent(world: World, tx: Tx, event: NewEvent): Promise<void> {
  const id = world.newId();
  const createdAt = world.clock.now().toISOString();
  const body = JSON.stringify({ id, event: event.type, created_at: createdAt, data: { document: event.document } });
  await tx.query({
    name: 'record_event',
    text: 'insert into events (id, account_id, document_id, type, body, created_at) values ($1, $2, $3, $4, $5, $6)',
    values: [id, event.accountId, event.documentId, event.type, body, createdAt],
  });
}
