import type { Actor } from '../actor.ts';
import { Refusal } from '../errors.ts';
import { cancelMessages } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { appendAudit } from './audit.ts';
import { type Document, unscheduled } from './document.ts';
import { eventDocument } from './event-document.ts';
import { isStorable } from './field.ts';
import { notifyRecipients } from './notify-recipients.ts';
import { listRecipients } from './queries.ts';

export const voidReasonLengthMax = 1000;

/**
 * Voids a document in any status but `voided`, and cancels its pending messages. Open signing links then show that it was
 * voided. Recipients who know of it are notified, unless it had ended without being completed. The caller holds the document's
 * lock. Throws a `Refusal`.
 */
export async function voidDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  actor: Actor,
  reason: string,
): Promise<void> {
  const isOver = document.status === 'declined' || document.status === 'expired';
  await markVoided(world, tx, document, actor, reason);
  await Promise.all([
    cancelMessages(world, tx, document),
    // Templates have no events, because API keys can't see them.
    ...(document.is_template ? [] : [recordVoided(world, tx, document)]),
  ]);
  if (document.sent_at === null || isOver) return;
  const recipients = await listRecipients(tx, document.account_id, document.id);
  await notifyRecipients(world, tx, queue, document, recipients, 'recipient_voided');
}

/** Voids a template, which nobody was asked to sign. The caller holds its lock. Throws a `Refusal`. */
export async function voidTemplate(world: World, tx: Tx, template: Document, actor: Actor, reason: string) {
  await markVoided(world, tx, template, actor, reason);
}

async function markVoided(world: World, tx: Tx, document: Document, actor: Actor, reason: string): Promise<void> {
  if (document.status === 'voided') throw new Refusal('the document is already voided');
  const length = [...reason].length;
  if (reason.trim() === '' || length > voidReasonLengthMax || !isStorable(reason)) {
    throw new Refusal(`a reason must be 1 to ${voidReasonLengthMax} characters`);
  }
  const now = world.clock.now().toISOString();
  const columns = { status: 'voided', voided_at: now, voided_reason: reason, updated_at: now, ...unscheduled };
  Object.assign(document, columns);
  await appendAudit(tx, document, [{ at: now, actor, action: 'voided', detail: { reason } }], {
    name: 'void_document',
    columns,
  });
}

function recordVoided(world: World, tx: Tx, document: Document): Promise<string> {
  return recordEvent(world, tx, {
    accountId: document.account_id,
    documentId: document.id,
    type: 'document.voided',
    document: eventDocument(document),
  });
}
