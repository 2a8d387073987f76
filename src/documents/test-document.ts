import type { EventType } from '../webhooks/event-types.ts';
import type { World } from '../world/world.ts';
import type { DocumentStatus } from './document.ts';
import { type DocumentJson, documentJson } from './json.ts';

/** What each event finds a document of two signers to be. */
const statusAt: Record<EventType, DocumentStatus> = {
  'document.sent': 'sent',
  'document.viewed': 'sent',
  'document.signed': 'partially_signed',
  'document.completed': 'completed',
  'document.declined': 'declined',
  'document.voided': 'voided',
};

/** A made-up document for a test event, as a real event of this kind would tell of it. Its id leads nowhere. */
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
