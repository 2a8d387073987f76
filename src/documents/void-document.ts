import type { Actor } from '../actor.ts';
import { Refusal } from '../errors.ts';
import { cancelMessages } from '../messages/enqueue-messages.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { appendAudit } from './audit.ts';
import type { Document } from './document.ts';
import { eventDocument } from './event-document.ts';
import { isStorable } from './field.ts';

export const voidReasonLengthMax = 1000;

/**
 * Voids a document in any status but `voided`, and cancels its pending messages. Open signing links then show that it was
 * voided. The caller holds the document's lock. Throws a `Refusal`.
 */
export async function voidDocument(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  reason: string,
): Promise<void> {
  if (document.status === 'voided') throw new Refusal('the document is already voided');
  const length = [...reason].length;
  if (reason.trim() === '' || length > voidReasonLengthMax || !isStorable(reason)) {
    throw new Refusal(`a reason must be 1 to ${voidReasonLengthMax} characters`);
  }
  const now = world.clock.now().toISOString();
  Object.assign(document, { status: 'voided', voided_at: now, voided_reason: reason, updated_at: now });
  await Promise.all([
    tx.query({
      name: 'mark_document_voided',
      text: `update documents set status = 'voided', voided_at = $3, voided_reason = $4, updated_at = $3
             where account_id = $1 and id = $2`,
      values: [document.account_id, document.id, now, reason],
    }),
    cancelMessages(world, tx, document),
    appendAudit(tx, document, [{ at: now, actor, action: 'voided', detail: { reason } }]),
    // Templates have no events, because API keys can't see them.
    ...(document.is_template ? [] : [recordVoided(world, tx, document)]),
  ]);
}

function recordVoided(world: World, tx: Tx, document: Document): Promise<string> {
  return recordEvent(world, tx, {
    accountId: document.account_id,
    documentId: document.id,
    type: 'document.voided',
    document: eventDocument(document),
  });
}
