import { readSigningSettings } from '../accounts/signing-settings.ts';
import { recipientActor } from '../actor.ts';
import type { PersonBody } from '../documents/create-document-body.ts';
import { notifySender } from '../documents/notify-sender.ts';
import { reassignRecipient } from '../documents/reassign-recipient.ts';
import { Refusal } from '../errors.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { recordFirstView, type Visitor } from './mark-viewed.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, lockSession, type SigningSession } from './signing-session.ts';

/** The number of people that one recipient can be, one after the other, before nobody can pass the request on any more. */
const peopleMax = 5;

/** Whether the recipient may ask someone else to act: if the company allows it, on the recipient's turn, not in person. */
export async function mayDelegate(db: Queryable, { document, recipient, state }: SigningSession): Promise<boolean> {
  if (state.kind !== 'open' || recipient.channel === 'in_person' || recipient.holder >= peopleMax) return false;
  return (await readSigningSettings(db, document.account_id)).allows_delegation;
}

/**
 * Gives a recipient's place to the person that the recipient names, who gets a request at once. The recipient's link ends. The
 * previous person and the sender are told. `reason` has at most 1000 characters, checked by the caller, and may be empty.
 *
 * @throws the `SigningError` of a state that isn't open, `delegation_off` where it isn't allowed, and `same_person`.
 */
export async function delegate(
  world: World,
  tx: Tx,
  queue: JobQueue,
  access: Access,
  person: PersonBody,
  reason: string,
  visitor: Visitor,
): Promise<void> {
  const session = await lockSession(world, tx, access);
  const { document, recipient, state } = session;
  if (state.kind !== 'open') throw new SigningError(refusalOf(state));
  if (!(await mayDelegate(tx, session))) throw new SigningError('delegation_off');
  await recordFirstView(world, tx, session, visitor);
  const said = reason === '' ? {} : { reason };
  const detail = { ...said, ip: visitor.ip, user_agent: visitor.userAgent };
  const actor = recipientActor(recipient.id);
  const about = { recipient: recipient.id, holder: recipient.holder };
  try {
    await reassignRecipient(world, tx, queue, document, recipient.id, person, actor, detail);
    await notifySender(world, tx, queue, document, 'sender_delegated', about);
  } catch (error) {
    // The person was checked, so the refusal is that nobody else was named.
    if (error instanceof Refusal) throw new SigningError('same_person', { cause: error });
    throw error;
  }
}
