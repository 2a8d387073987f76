import type { Actor } from '../actor.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { assertUnsent } from './attach-file.ts';
import { appendAudit } from './audit.ts';
import type { Document } from './document.ts';

/** When a document expires and reminds. */
export type DocumentSending = Pick<Document, 'expires_in_days' | 'reminder_days' | 'expiry_reminder_days'>;

/**
 * Sets the expiry and the reminders of an unsent document or template. The caller holds the document's lock and has checked the
 * values. Throws a `Refusal` if the document was sent or is scheduled.
 */
export async function setSending(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  sending: DocumentSending,
): Promise<void> {
  assertUnsent(document);
  const changes = changesOf(document, sending);
  if (changes.length === 0) return;
  const at = world.clock.now().toISOString();
  const { expires_in_days, reminder_days, expiry_reminder_days } = sending;
  const columns = { expires_in_days, reminder_days, expiry_reminder_days, updated_at: at };
  Object.assign(document, columns);
  const detail = { changes, recipients: document.recipient_count, fields_removed: 0 };
  await appendAudit(tx, document, [{ at, actor, action: 'edited', detail }], { name: 'set_sending', columns });
}

/** Returns the names of what changes, as `editDocument` records them. */
function changesOf(document: Document, sending: DocumentSending): string[] {
  const remindsAsBefore =
    sending.expiry_reminder_days === document.expiry_reminder_days &&
    String(sending.reminder_days) === String(document.reminder_days);
  const expiresAsBefore = sending.expires_in_days === document.expires_in_days;
  return [...(expiresAsBefore ? [] : ['expires_in_days']), ...(remindsAsBefore ? [] : ['reminders'])];
}
