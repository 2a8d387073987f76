import { readAccountName } from '../accounts/manage-accounts.ts';
import { recipientActor } from '../actor.ts';
import type { Recipient } from '../documents/recipient.ts';
import { countTry, TooManyTries } from '../identity/guess-limit.ts';
import { ensureLockedPerson } from '../identity/people.ts';
import { mintSignInLink, signInUrl } from '../identity/sign-in-link.ts';
import { signInMail } from '../identity/sign-in-mail.ts';
import { recordDirectAttempt } from '../messages/direct-message.ts';
import type { DeliveryOutcome, MailSender } from '../platform/mail.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { mailedName } from './mailed-name.ts';
import type { Visitor } from './mark-viewed.ts';
import { recordOutcome } from './record-outcome.ts';
import { codeChannel } from './send-code.ts';
import { SigningError } from './signing-error.ts';
import { type Access, lockSession, readSession, type SigningSession } from './signing-session.ts';
import { type SigningState, signingStateOf } from './signing-state.ts';
import { openVerification } from './verification.ts';
import { verificationCookie } from './verification-cookie.ts';

export interface AccountLinkDelivery {
  mail: MailSender;
  /** Returns the origin of links. */
  origin: () => string;
  /** Receives the outcome of each delivery, for the metrics. */
  onOutcome: (outcome: DeliveryOutcome['kind']) => void;
}

export interface AccountLinkSent {
  state: SigningState;
  /** In test mode only: no e-mail is sent, and this cookie opens the page at once. */
  cookie: string | null;
}

/**
 * Sends the recipient a one-time link to the address that the sender gave. The link signs them in and leads back to the
 * document; they need no company account. Each link is counted first, and no transaction is open while the e-mail is
 * sent. Throws `too_many_links` and `link_not_sent`. Sends nothing to a recipient who is signed in or can't sign now.
 * `isFramed`: the page is in a frame of another site, which in test mode gets a cookie for it.
 */
export async function sendAccountLink(
  world: World,
  db: Database,
  delivery: AccountLinkDelivery,
  access: Access,
  visitor: Visitor,
  isFramed: boolean,
): Promise<AccountLinkSent> {
  const session = await readSession(world, db, access);
  if (session.state.kind !== 'needs_account') return { state: session.state, cookie: null };
  if (session.recipient.email === null) throw new SigningError('link_not_sent');

  await countLink(world, db, session.recipient);
  if (codeChannel(session.document) === 'page') {
    return pretend(world, db, delivery, access, session, visitor, isFramed);
  }
  const minted = await db.transaction((tx) => mintLink(world, tx, access));
  const { document, recipient, state } = minted.session;
  if (minted.token === null) return { state, cookie: null };
  const { token, address } = minted;
  const link = `${signInUrl(delivery.origin(), token)}?to=${encodeURIComponent(`/sign/${access.token}`)}`;
  const accountName = await readAccountName(db, document.account_id);
  const id = world.newId();
  const outcome = await delivery.mail.send({
    id,
    to: { name: await mailedName(db, recipient), address },
    ...signInMail(document.primary_language, { kind: 'signing', accountName }, link),
  });
  delivery.onOutcome(outcome.kind);
  const { account_id: accountId, id: documentId } = document;
  const sent = { id, accountId, documentId, recipient, kind: 'sign_in_link', channel: 'email' } as const;
  await recordDirectAttempt(world, db, { ...sent, address }, outcome, true).catch((error) =>
    // The link is on its way, so the recipient is not told that it failed.
    world.log.warn('a sign-in link is not in the message log', { document_id: documentId, cause: error }),
  );
  if (outcome.kind !== 'accepted') {
    await recordNotSent(world, db, minted.session, outcome.reason);
    throw new SigningError('link_not_sent');
  }
  await recordSent(world, db, minted.session, visitor);
  return { state, cookie: null };
}

type MintedLink = { session: SigningSession } & ({ token: string; address: string } | { token: null });

/** Makes the person under the lock of the document, so that an erasure of its recipients finds them. Token null: not needed. */
async function mintLink(world: World, tx: Tx, access: Access): Promise<MintedLink> {
  const session = await lockSession(world, tx, access);
  if (session.state.kind !== 'needs_account') return { session, token: null };
  const { email: address } = session.recipient;
  if (address === null) throw new SigningError('link_not_sent');
  const person = await ensureLockedPerson(world, tx, address);
  return { session, token: await mintSignInLink(world, tx, person.id, 'signing'), address };
}

/**
 * Opens a document in test mode without signing anyone in, because no address is proved. Otherwise someone could send a
 * test document to another person's address and sign in to the console as that person.
 */
async function pretend(
  world: World,
  db: Database,
  { origin }: AccountLinkDelivery,
  access: Access,
  session: SigningSession,
  visitor: Visitor,
  isFramed: boolean,
): Promise<AccountLinkSent> {
  const { document, recipients, recipient, needs } = session;
  await recordSent(world, db, session, visitor);
  const verification = await db.transaction(async (tx) => {
    await lockSession(world, tx, access); // the recipient may have been reassigned since
    return openVerification(world, tx, recipient.id);
  });
  return {
    state: signingStateOf(document, recipients, recipient, { ...needs, account: false }, world.clock.now()),
    cookie: verificationCookie(recipient.id, verification, origin(), isFramed),
  };
}

/** Returns a shortened address, `a…@example.com`, that its owner recognizes. */
export function emailHint({ email }: Pick<Recipient, 'email'>): string | null {
  if (email === null) return null;
  const at = email.lastIndexOf('@');
  const [first = ''] = [...email.slice(0, at)];
  return `${first}…${email.slice(at)}`;
}

async function countLink(world: World, db: Database, recipient: Recipient): Promise<void> {
  try {
    await countTry(world, db, 'link_to_recipient', recipient.id);
  } catch (error) {
    if (!(error instanceof TooManyTries)) throw error;
    throw new SigningError('too_many_links', { retryAfterSeconds: error.retryAfterSeconds });
  }
}

async function recordSent(world: World, db: Database, session: SigningSession, visitor: Visitor): Promise<void> {
  const { document, recipient } = session;
  const entry = {
    actor: recipientActor(recipient.id),
    action: 'account_link_sent',
    detail: {
      name: recipient.display_name,
      channel: codeChannel(document) === 'page' ? 'page' : 'email',
      ip: visitor.ip,
      user_agent: visitor.userAgent,
    },
  } as const;
  await db.transaction((tx) => recordOutcome(world, tx, session, entry));
}

async function recordNotSent(world: World, db: Database, session: SigningSession, reason: string): Promise<void> {
  const { recipient } = session;
  world.log.warn('a sign-in link could not be sent', { recipient_id: recipient.id });
  const entry = {
    actor: 'service',
    action: 'delivery_failed',
    detail: { recipient_id: recipient.id, channel: 'email', kind: 'sign_in_link', reason },
  } as const;
  await db.transaction((tx) => recordOutcome(world, tx, session, entry));
}
