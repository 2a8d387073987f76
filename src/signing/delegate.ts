import { readSigningSettings } from '../accounts/signing-settings.ts';
import { recipientActor } from '../actor.ts';
import type { PersonBody } from '../documents/create-document-body.ts';
import { notifySender } from '../documents/notify-sender.ts';
import { reassignRecipient } from '../documents/reassign-recipient.ts';
import type { Recipient } from '../documents/recipient.ts';
import { isSamePhone } from '../documents/same-person.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import { isSameEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { recordFirstView, type Visitor } from './mark-viewed.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, lockSession, type SigningSession } from './signing-session.ts';

/** The number of people that one recipient can be, one after the other, before nobody can pass the request on any more. */
const peopleMax = 5;

/**
 * Whether the recipient may ask someone else to act: if the company allows it, on the recipient's turn, not in person. People
 * who came from a public link may not: anyone can, and could have us write to strangers.
 */
export async function mayDelegate(db: Queryable, { document, recipient, state }: SigningSession): Promise<boolean> {
  if (state.kind !== 'open' || recipient.channel === 'in_person' || recipient.holder >= peopleMax) return false;
  const { allows_delegation: isAllowed } = await readSigningSettings(db, document.account_id);
  return isAllowed && !(await isFromPublicLink(db, recipient));
}

/** Whether the place was made for a visitor of a public link. The audit trail says so even after the link was deleted. */
async function isFromPublicLink(db: Queryable, { account_id, document_id, id }: Recipient): Promise<boolean> {
  const found = await db.query({
    name: 'is_from_public_link',
    text: `select 1 from audit_entries
           where account_id = $1 and document_id = $2 and actor = $3 and action = 'verified' and detail::jsonb ? 'public_link'
           limit 1`,
    values: [account_id, document_id, recipientActor(id)],
  });
  return found.length > 0;
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
  if (isReachedBy(recipient, person)) throw new SigningError('same_person');
  await recordFirstView(world, tx, session, visitor);
  const said = reason === '' ? {} : { reason };
  const detail = { ...said, ip: visitor.ip, user_agent: visitor.userAgent };
  const actor = recipientActor(recipient.id);
  const about = { recipient: recipient.id, holder: recipient.holder };
  await reassignRecipient(world, tx, queue, document, recipient.id, person, actor, detail);
  await notifySender(world, tx, queue, document, 'sender_delegated', about);
}

/** Whether a request to `person` would reach the recipient: another name alone makes nobody else. */
function isReachedBy({ channel, email, phone }: Recipient, person: PersonBody): boolean {
  if (channel === 'sms') return isSamePhone(person.phone ?? null, phone);
  return email !== null && typeof person.email === 'string' && isSameEmail(person.email, email);
}
