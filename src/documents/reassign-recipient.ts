import { createHash } from 'node:crypto';
import type { Actor } from '../actor.ts';
import { ApiError, Refusal } from '../errors.ts';
import { enqueueMessages } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { readAttachment } from './attachment.ts';
import { appendAudit } from './audit.ts';
import { contentOf } from './content.ts';
import { type PersonBody, readPerson } from './create-document-body.ts';
import type { Document } from './document.ts';
import { dropPendingFiles } from './field-file.ts';
import { notifyFormer } from './notify-recipients.ts';
import { listRecipients } from './queries.ts';
import { lacksContact, needsEmail, type Recipient } from './recipient.ts';
import { isAwaiting } from './reminders.ts';
import { isSameContact, isSamePerson, isSamePhone } from './same-person.ts';

/**
 * Replaces the person behind a recipient who has not signed. Revokes the links, codes and unsigned field values of the
 * previous person. Role, turn, channel and level stay. If it is the recipient's turn, the new person gets a signature
 * request at once. `more`: more details for the audit trail. Throws a `Refusal` if this is not possible. The caller holds the
 * document's lock.
 */
export async function reassignRecipient(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  recipientId: string,
  person: PersonBody,
  actor: Actor,
  more: Record<string, unknown> = {},
): Promise<void> {
  if (!isAwaiting(document, world.clock.now())) {
    throw new Refusal(`only a document that awaits signatures can be reassigned, this one is ${document.status}`);
  }
  const [recipients, attachment] = await Promise.all([
    listRecipients(tx, document.account_id, document.id),
    readAttachment(tx, document.account_id, document.id),
  ]);
  const recipient = recipients.find(({ id }) => id === recipientId.toLowerCase());
  if (recipient === undefined) throw new Refusal(`the document has no recipient ${recipientId}`);
  if (recipient.status === 'signed') throw new Refusal(`${recipient.display_name} has already signed`);
  const former = { ...recipient };
  assignPerson(recipient, readNewPerson(person), world.clock.now());

  await Promise.all([revokePreviousPerson(world, tx, recipient), updateRecipient(tx, recipient)]);
  document.content_sha256 = createHash('sha256')
    .update(contentOf(document, recipients, attachment))
    .digest();
  await Promise.all([
    tx.query({
      name: 'update_content_sha256',
      text: 'update documents set content_sha256 = $3, updated_at = $4 where account_id = $1 and id = $2',
      values: [document.account_id, document.id, document.content_sha256, world.clock.now()],
    }),
    auditReassignment(world, tx, document, recipient, { actor, detail: { from: former.display_name, ...more } }),
    // Someone whose name was corrected stays who they are.
    ...(isSamePerson(former, recipient) ? [] : [notifyFormer(world, tx, queue, document, former)]),
    ...(recipient.status === 'pending'
      ? []
      : [enqueueMessages(world, tx, queue, document, [recipient], 'signature_request')]),
  ]);
}

function readNewPerson(person: PersonBody): PersonBody {
  try {
    return readPerson(person);
  } catch (error) {
    if (error instanceof ApiError) throw new Refusal(`${error.param}: ${error.message}`);
    throw error;
  }
}

/** Sets the new person in `recipient`. Throws a `Refusal` for the same person, and for missing contact details. */
function assignPerson(recipient: Recipient, person: PersonBody, now: Date): void {
  const { name, email = null, phone = null } = person;
  const isSame = isSameContact(email, recipient.email) && isSamePhone(phone, recipient.phone);
  if (isSame && name === recipient.display_name) {
    throw new Refusal('this person is already the recipient: to contact them again, send a reminder');
  }
  Object.assign(recipient, { display_name: name, email, phone, holder: recipient.holder + 1, viewed_at: null });
  const lacksEmail = needsEmail(recipient) && !recipient.email;
  if (lacksEmail || lacksContact(recipient)) {
    const { channel, auth_level } = recipient;
    const needed = lacksEmail ? 'an e-mail address' : 'a phone number';
    throw new Refusal(`the recipient needs ${needed}: the channel is ${channel} and the level is ${auth_level}`);
  }
  if (recipient.status !== 'pending') Object.assign(recipient, { status: 'sent', sent_at: now.toISOString() });
}

async function updateRecipient(tx: Tx, recipient: Recipient): Promise<void> {
  await tx.query({
    name: 'reassign_recipient',
    text: `update recipients set display_name = $3, email = $4, phone = $5, holder = $6, status = $7, sent_at = $8,
             viewed_at = null
           where account_id = $1 and id = $2`,
    values: [
      recipient.account_id,
      recipient.id,
      recipient.display_name,
      recipient.email,
      recipient.phone,
      recipient.holder,
      recipient.status,
      recipient.sent_at,
    ],
  });
}

/**
 * Cancels messages and codes, and deletes verifications and field values. Links of the previous person end because they
 * have the old `holder` number. A message that is being delivered still goes to the old address.
 */
async function revokePreviousPerson(world: World, tx: Tx, recipient: Recipient): Promise<void> {
  const now = world.clock.now();
  await Promise.all([
    tx.query({
      name: 'cancel_messages_of_previous_person',
      text: `update messages set followed = true,
               status = case status when 'pending' then 'cancelled' else status end, settled_at = coalesce(settled_at, $2)
             where recipient_id = $1`,
      values: [recipient.id, now],
    }),
    tx.query({
      name: 'revoke_codes_of_previous_person',
      text: `update verification_codes set failed_at = $2
             where recipient_id = $1 and used_at is null and failed_at is null`,
      values: [recipient.id, now],
    }),
    tx.query({
      name: 'delete_verifications_of_previous_person',
      text: 'delete from verifications where recipient_id = $1',
      values: [recipient.id],
    }),
    dropPendingFiles(world, tx, recipient),
    tx.query({
      name: 'clear_fields_of_previous_person',
      text: 'update document_fields set value = preset where recipient_id = $1',
      values: [recipient.id],
    }),
  ]);
}

async function auditReassignment(
  world: World,
  tx: Tx,
  document: Document,
  recipient: Recipient,
  { actor, detail }: { actor: Actor; detail: Record<string, unknown> },
): Promise<void> {
  const at = world.clock.now().toISOString();
  const who = { recipient_id: recipient.id, name: recipient.display_name };
  await appendAudit(tx, document, [
    {
      at,
      actor,
      action: 'reassigned',
      detail: { ...who, ...detail, content_sha256: document.content_sha256?.toString('hex') },
    },
    ...(recipient.status === 'pending'
      ? []
      : [
          {
            at,
            actor: 'service' as const,
            action: 'requested' as const,
            detail: { ...who, channel: recipient.channel },
          },
        ]),
  ]);
}
