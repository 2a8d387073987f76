import { createHash } from 'node:crypto';
import { ApiError, Refusal } from '../errors.ts';
import type { Tx } from '../postgres/database.ts';
import { isSameEmail } from '../world/canonical-email.ts';
import type { World } from '../world/world.ts';
import { readAttachment } from './attachment.ts';
import { appendAudit } from './audit.ts';
import { contentOf } from './content.ts';
import { type PersonBody, readPerson } from './create-document-body.ts';
import type { Document } from './document.ts';
import { enqueueMessages, type JobQueue } from './messages.ts';
import { listRecipients } from './queries.ts';
import { lacksContact, type Recipient } from './recipient.ts';
import { isAwaiting } from './reminders.ts';

/**
 * Gives the place of a recipient who has not answered to somebody else, who is asked at once if the place's turn has
 * come. What the one before could do ends: links, codes, what was filled in and not signed. The role, the turn and the
 * way of signing belong to the place and stay. Throws a `Refusal`. The caller holds the document's lock.
 */
export async function reassignRecipient(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  recipientId: string,
  person: PersonBody,
  actor: string,
): Promise<void> {
  if (!isAwaiting(document, world.clock.now())) {
    throw new Refusal(`only a document that awaits signatures can be reassigned, this one is ${document.status}`);
  }
  const [recipients, attachment] = await Promise.all([
    listRecipients(tx, document.account_id, document.id),
    readAttachment(tx, document.account_id, document.id),
  ]);
  const place = recipients.find(({ id }) => id === recipientId.toLowerCase());
  if (place === undefined) throw new Refusal(`the document has no recipient ${recipientId}`);
  if (place.status === 'signed') throw new Refusal(`${place.display_name} has signed already`);
  const from = place.display_name;
  passOn(place, readNewPerson(person), world.clock.now());

  await Promise.all([endFormerHolder(world, tx, place), updatePlace(tx, place)]);
  document.content_sha256 = createHash('sha256')
    .update(contentOf(document, recipients, attachment))
    .digest();
  await Promise.all([
    tx.query({
      name: 'update_content_sha256',
      text: 'update documents set content_sha256 = $3, updated_at = $4 where account_id = $1 and id = $2',
      values: [document.account_id, document.id, document.content_sha256, world.clock.now()],
    }),
    record(world, tx, document, place, from, actor),
    ...(place.status === 'pending' ? [] : [enqueueMessages(world, tx, queue, document, [place], 'signature_request')]),
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

/** The place as its new holder finds it. */
function passOn(place: Recipient, person: PersonBody, now: Date): void {
  const { name, email = null, phone = null } = person;
  if (name === place.display_name && isSameContact(email, place.email) && phone === place.phone) {
    throw new Refusal('that is who holds the place now: to write to them once more, send a reminder');
  }
  Object.assign(place, { display_name: name, email, phone, holder: place.holder + 1, viewed_at: null });
  if (lacksContact(place)) {
    const needed = place.channel === 'email' && !place.email ? 'an e-mail address' : 'a phone number';
    throw new Refusal(`the place needs ${needed}: it is asked by ${place.channel}, signing by ${place.auth_level}`);
  }
  if (place.status !== 'pending') Object.assign(place, { status: 'sent', sent_at: now.toISOString() });
}

function isSameContact(email: string | null, other: string | null): boolean {
  return email === other || (email !== null && other !== null && isSameEmail(email, other));
}

async function updatePlace(tx: Tx, place: Recipient): Promise<void> {
  await tx.query({
    name: 'reassign_recipient',
    text: `update recipients set display_name = $3, email = $4, phone = $5, holder = $6, status = $7, sent_at = $8,
             viewed_at = null
           where account_id = $1 and id = $2`,
    values: [
      place.account_id,
      place.id,
      place.display_name,
      place.email,
      place.phone,
      place.holder,
      place.status,
      place.sent_at,
    ],
  });
}

/** Links and messages end by the holder's number; a message under way keeps to the address it was loaded with. */
async function endFormerHolder(world: World, tx: Tx, place: Recipient): Promise<void> {
  const now = world.clock.now();
  await Promise.all([
    tx.query({
      name: 'end_messages_of_holder',
      text: `update messages set followed = true,
               status = case status when 'pending' then 'cancelled' else status end, settled_at = coalesce(settled_at, $2)
             where recipient_id = $1`,
      values: [place.id, now],
    }),
    tx.query({
      name: 'end_codes_of_holder',
      text: `update verification_codes set failed_at = $2
             where recipient_id = $1 and used_at is null and failed_at is null`,
      values: [place.id, now],
    }),
    tx.query({
      name: 'end_verifications_of_holder',
      text: 'delete from verifications where recipient_id = $1',
      values: [place.id],
    }),
    tx.query({
      name: 'empty_fields_of_holder',
      text: 'update document_fields set value = null where recipient_id = $1',
      values: [place.id],
    }),
  ]);
}

async function record(
  world: World,
  tx: Tx,
  document: Document,
  place: Recipient,
  from: string,
  actor: string,
): Promise<void> {
  const at = world.clock.now().toISOString();
  const who = { recipient_id: place.id, name: place.display_name };
  await appendAudit(tx, document, [
    {
      at,
      actor,
      action: 'reassigned',
      detail: { ...who, from, content_sha256: document.content_sha256?.toString('hex') },
    },
    ...(place.status === 'pending'
      ? []
      : [{ at, actor: 'service', action: 'requested' as const, detail: { ...who, channel: place.channel } }]),
  ]);
}
