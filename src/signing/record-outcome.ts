import { type AuditEntry, appendAudit } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { listRecipients, lockDocument } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';

/**
 * Appends what became of a code or link to the audit trail, even if the document's status has changed since it was made. Appends
 * nothing if another person has taken the recipient's place or the recipient was erased: the message log has it.
 */
export async function recordOutcome(
  world: World,
  tx: Tx,
  { document: { account_id, id }, recipient }: { document: Document; recipient: Recipient },
  entry: Pick<AuditEntry, 'actor' | 'action' | 'detail'>,
): Promise<void> {
  const document = await lockDocument(tx, account_id, id, 'all');
  if (document === null) throw new Error(`document ${id} is gone`);
  const recipients = await listRecipients(tx, account_id, id);
  const isCurrent = recipients.some(
    (now) => now.id === recipient.id && now.holder === recipient.holder && hasContact(now),
  );
  if (isCurrent) await appendAudit(tx, document, [{ at: world.clock.now().toISOString(), ...entry }]);
}

const hasContact = ({ email, phone }: Recipient) => email !== null || phone !== null;
