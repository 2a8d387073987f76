import { readAccountName } from '../accounts/manage-accounts.ts';
import { type AuditEntry, appendAudit } from '../documents/audit.ts';
import { lockDocument } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import { countTry, TooManyTries } from '../identity/guess-limit.ts';
import { ensurePerson } from '../identity/people.ts';
import { mintSignInLink, signInUrl } from '../identity/sign-in-link.ts';
import { signInMail } from '../identity/sign-in-mail.ts';
import type { DeliveryOutcome, MailSender } from '../platform/mail.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import type { Visitor } from './mark-viewed.ts';
import { codeChannel } from './send-code.ts';
import { SigningError } from './signing-error.ts';
import { type Access, lockSession, readSession, type SigningSession } from './signing-session.ts';
import { type SigningState, signingStateOf } from './signing-state.ts';
import { openVerification } from './verification.ts';
import { verificationCookie } from './verification-cookie.ts';

export interface AccountLinkDelivery {
  mail: MailSender;
  /** What links begin with. */
  origin: () => string;
  /** Told of every hand-over, for the metrics. */
  onOutcome: (outcome: DeliveryOutcome['kind']) => void;
}

export interface AccountLinkSent {
  state: SigningState;
  /** Only of a document in test mode, for which no e-mail leaves: the page opens at once, and this browser keeps the cookie. */
  cookie: string | null;
}

/**
 * Sends the reader a one-time link that signs them in with the address the sender gave, and leads back to the document:
 * whoever reads that mailbox is the recipient, a member of any company or of none. Counted before it is drawn, handed
 * over with no transaction open, recorded. Throws `too_many_links` and `link_not_sent`; a reader who is signed in, and
 * one who cannot sign now, gets none.
 */
export async function sendAccountLink(
  world: World,
  db: Database,
  delivery: AccountLinkDelivery,
  access: Access,
  visitor: Visitor,
): Promise<AccountLinkSent> {
  const session = await readSession(world, db, access);
  const { reader, document, state } = session;
  if (state.kind !== 'needs_account') return { state, cookie: null };
  if (reader.email === null) throw new SigningError('link_not_sent');

  await countLink(world, db, reader);
  if (codeChannel(document) === 'page') return pretend(world, db, delivery, access, session, visitor);
  const person = await ensurePerson(world, db, reader.email);
  const token = await mintSignInLink(world, db, person.id, 'signing');
  const link = `${signInUrl(delivery.origin(), token)}?to=${encodeURIComponent(`/sign/${access.token}`)}`;
  const accountName = await readAccountName(db, document.account_id);
  const outcome = await delivery.mail.send({
    id: world.newId(),
    to: { name: reader.display_name, address: reader.email },
    ...signInMail(document.primary_language, { kind: 'signing', accountName }, link),
  });
  delivery.onOutcome(outcome.kind);
  if (outcome.kind !== 'accepted') {
    await recordNotSent(world, db, session, outcome.reason);
    throw new SigningError('link_not_sent');
  }
  await recordSent(world, db, session, visitor);
  return { state, cookie: null };
}

/**
 * In test mode nobody's address is proved, so nobody is signed in: what opens is this document alone. Else whoever sends
 * one in test mode to somebody's address could sign in to the console as that person.
 */
async function pretend(
  world: World,
  db: Database,
  { origin }: AccountLinkDelivery,
  access: Access,
  session: SigningSession,
  visitor: Visitor,
): Promise<AccountLinkSent> {
  const { document, recipients, reader, lacks } = session;
  await recordSent(world, db, session, visitor);
  const proof = await db.transaction(async (tx) => {
    await lockSession(world, tx, access); // the place may have been reassigned since
    return openVerification(world, tx, reader.id);
  });
  return {
    state: signingStateOf(document, recipients, reader, { ...lacks, account: false }, world.clock.now()),
    cookie: verificationCookie(reader.id, proof, origin()),
  };
}

/** Enough of an address to know one's own by: `a…@example.com`. */
export function emailHint({ email }: Pick<Recipient, 'email'>): string | null {
  if (email === null) return null;
  const at = email.lastIndexOf('@');
  const [first = ''] = [...email.slice(0, at)];
  return `${first}…${email.slice(at)}`;
}

async function countLink(world: World, db: Database, reader: Recipient): Promise<void> {
  try {
    await countTry(world, db, 'link_to_recipient', reader.id);
  } catch (error) {
    if (!(error instanceof TooManyTries)) throw error;
    throw new SigningError('too_many_links', { retryAfterSeconds: error.retryAfterSeconds });
  }
}

async function recordSent(world: World, db: Database, session: SigningSession, visitor: Visitor): Promise<void> {
  const { document, reader } = session;
  await record(world, db, session, {
    actor: `recipient:${reader.id}`,
    action: 'account_link_sent',
    detail: {
      name: reader.display_name,
      channel: codeChannel(document) === 'page' ? 'page' : 'email',
      ip: visitor.ip,
      user_agent: visitor.userAgent,
    },
  });
}

async function recordNotSent(world: World, db: Database, session: SigningSession, reason: string): Promise<void> {
  const { reader } = session;
  world.log.warn('a sign-in link could not be sent', { recipient_id: reader.id });
  await record(world, db, session, {
    actor: 'service',
    action: 'delivery_failed',
    detail: { recipient_id: reader.id, channel: 'email', kind: 'sign_in_link', reason },
  });
}

/** Whatever became of the document meanwhile: the message did leave, or did not. */
async function record(
  world: World,
  db: Database,
  { document: { account_id, id } }: SigningSession,
  entry: Pick<AuditEntry, 'actor' | 'action' | 'detail'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const document = await lockDocument(tx, account_id, id, 'all');
    if (document === null) throw new Error(`document ${id} is gone`);
    await appendAudit(tx, document, [{ at: world.clock.now().toISOString(), ...entry }]);
  });
}
