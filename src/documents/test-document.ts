import type { World } from '../platform/world.ts';
import type { EventType } from '../webhooks/event-types.ts';
import type { DocumentStatus } from './document.ts';
import { type DocumentJson, documentJson } from './json.ts';

/** The status of a document with two signers at each event. */
const statusAt: Record<EventType, DocumentStatus> = {
  'document.sent': 'sent',
  'document.viewed': 'sent',
  'document.signed': 'partially_signed',
  'document.completed': 'completed',
  'document.declined': 'declined',
  'document.voided': 'voided',
};

/** Returns a sample document for a test event, as a real event of this type shows it. No document has its id. */
export function testDocument(world: World, event: EventType): DocumentJson {
  const now = world.clock.now().toISOString();
  const status = statusAt[event];
  return documentJson({
    id: world.newId(),
    account_id: '',
    type: 'form',
    status,
    title: 'Test event',
    description: null,
    primary_language: 'en',
    secondary_language: null,
    recipient_count: 2,
    sent_at: now,
    completed_at: status === 'completed' ? now : null,
    voided_at: status === 'voided' ? now : null,
    voided_reason: status === 'voided' ? 'Test event' : null,
    expires_at: null,
    created_at: now,
    updated_at: now,
  });
}
