import { readSigningSettings } from '../accounts/signing-settings.ts';
import { recipientActor } from '../actor.ts';
import { appendAudit } from '../documents/audit.ts';
import { commentsMax, insertComment, listComments, type RecipientComment } from '../documents/comments.ts';
import { awaitsSignature } from '../documents/document.ts';
import { isStorable } from '../documents/field.ts';
import { notifySender } from '../documents/notify-sender.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import { isVisible } from '../platform/plain-line.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { recordFirstView, type Visitor } from './mark-viewed.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, lockSession, type SigningSession } from './signing-session.ts';
import { commentLengthMax } from './text-lengths.ts';

/** Control characters other than tabs and line breaks. Some programs act on them, and nobody types them. */
const control = /(?![\t\n])\p{Cc}/u;

/**
 * Whether the recipient may write to the sender: if the company allows it, while their page is open to them, on their turn
 * or before it. Not in person: the sender's people are in the room, and others would read the comments on the shared
 * device.
 */
export async function mayComment(db: Queryable, session: SigningSession): Promise<boolean> {
  return isOpenToComments(session) && (await allowsComments(db, session));
}

function isOpenToComments({ document, recipient, isLocked, state }: SigningSession): boolean {
  const isOpen = state.kind === 'open' || (state.kind === 'waiting' && awaitsSignature(document.status));
  return isOpen && !isLocked && recipient.channel !== 'in_person';
}

async function allowsComments(db: Queryable, { document }: SigningSession): Promise<boolean> {
  return (await readSigningSettings(db, document.account_id)).allows_comments;
}

/** Returns why a recipient may not comment. */
export function commentRefusal({ state }: SigningSession) {
  return state.kind === 'open' || state.kind === 'waiting' ? 'comments_off' : refusalOf(state);
}

/** Whether a text can be a comment: something that can be seen, of at most 2000 code points. */
export function isComment(text: string): boolean {
  return [...text].length <= commentLengthMax && isStorable(text) && isVisible(text) && !control.test(text);
}

/** Returns what this person wrote. Nobody sees the comments of others, nor of those who were recipients before them. */
export async function ownComments(db: Queryable, { document, recipient }: SigningSession): Promise<RecipientComment[]> {
  return (await listComments(db, document)).filter((one) => isBy(one, recipient));
}

function isBy({ recipient_id, holder }: RecipientComment, recipient: SigningSession['recipient']): boolean {
  return recipient_id === recipient.id && holder === recipient.holder;
}

/**
 * Stores what a recipient wrote and notifies the sender. `text` was checked with `isComment`. The same text again, from a
 * form that was sent twice, changes nothing. The audit trail has no text: a comment is not part of what is signed.
 *
 * @throws the `SigningError` of a state that has ended, `comments_off` where it isn't allowed, and `too_many_comments`.
 */
export async function addComment(
  world: World,
  tx: Tx,
  queue: JobQueue,
  access: Access,
  text: string,
  visitor: Visitor,
): Promise<void> {
  const session = await lockSession(world, tx, access);
  const { document, recipient, state } = session;
  if (!(await mayComment(tx, session))) throw new SigningError(commentRefusal(session));
  const comments = await listComments(tx, document);
  if (comments.findLast((one) => isBy(one, recipient))?.text === text) return;
  if (comments.length >= commentsMax) throw new SigningError('too_many_comments');
  if (state.kind === 'open') await recordFirstView(world, tx, session, visitor);
  const at = world.clock.now().toISOString() as Timestamp;
  const id = world.newId();
  const { id: recipient_id, holder, display_name: name } = recipient;
  await insertComment(tx, document, { id, recipient_id, holder, at, name, text });
  const detail = { ip: visitor.ip, user_agent: visitor.userAgent };
  await appendAudit(tx, document, [{ at, actor: recipientActor(recipient_id), action: 'commented', detail }]);
  await notifySender(world, tx, queue, document, 'sender_commented', { comment: id });
}
