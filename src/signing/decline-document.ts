import { recipientActor } from '../actor.ts';
import { appendAudit } from '../documents/audit.ts';
import { eventDocument } from '../documents/event-document.ts';
import { notifyRecipients } from '../documents/notify-recipients.ts';
import { notifySender } from '../documents/notify-sender.ts';
import { cancelMessages } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { requestAttestation } from './attest-acts.ts';
import { recordFirstView, type Visitor } from './mark-viewed.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, lockSession } from './signing-session.ts';
import { type SigningState, signingStateOf } from './signing-state.ts';

/**
 * Records that a recipient declines, which ends the document for everyone. `reason` has 1 to 1000 characters, checked by
 * the caller. Declining again returns the state that was reached. Throws the `SigningError` of a state that isn't open.
 */
export async function declineDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  access: Access,
  reason: string,
  visitor: Visitor,
): Promise<SigningState> {
  const session = await lockSession(world, tx, access);
  if (session.state.kind === 'declined' && session.state.bySelf) return session.state;
  if (session.state.kind !== 'open') throw new SigningError(refusalOf(session.state));

  await recordFirstView(world, tx, session, visitor);
  const { document, recipients, recipient } = session;
  const now = world.clock.now().toISOString();
  Object.assign(recipient, { status: 'declined', declined_at: now, declined_reason: reason });
  Object.assign(document, { status: 'declined', updated_at: now });
  await Promise.all([
    tx.query({
      name: 'mark_recipient_declined',
      text: `update recipients set status = 'declined', declined_at = $3, declined_reason = $4
             where account_id = $1 and id = $2`,
      values: [recipient.account_id, recipient.id, now, reason],
    }),
    cancelMessages(world, tx, document),
    notifySender(world, tx, queue, document, 'sender_declined'),
    notifyRecipients(world, tx, queue, document, recipients, 'recipient_declined'),
    appendAudit(
      tx,
      document,
      [
        {
          at: now,
          actor: recipientActor(recipient.id),
          action: 'declined',
          detail: { name: recipient.display_name, reason, ip: visitor.ip, user_agent: visitor.userAgent },
        },
      ],
      { name: 'decline_document', columns: { status: 'declined', updated_at: now } },
    ),
    recordEvent(world, tx, {
      accountId: document.account_id,
      documentId: document.id,
      type: 'document.declined',
      document: eventDocument(document),
    }),
  ]);
  await requestAttestation(world, tx, queue, document, { recipient, entry: document.audit_seq });
  return signingStateOf(document, recipients, recipient, session.needs, world.clock.now());
}
