import type { Document } from '../documents/document.ts';
import { findDocument, listRecipients, lockDocument } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import { readSessionCookie } from '../identity/session-cookie.ts';
import { isSignedInAs } from '../identity/sessions.ts';
import { addLogContext } from '../platform/log-context.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { findLinkOwner, findReassignedLink, type LinkOwner } from './signing-link.ts';
import { type Needs, type SigningState, signingStateOf } from './signing-state.ts';
import { isVerified, renewVerification } from './verification.ts';
import { readVerificationCookies } from './verification-cookie.ts';

/** The credentials of a browser. */
export interface Access {
  /** The token in the path. */
  token: string;
  /** The `Cookie` header, which may hold a verification and a console session. */
  cookies: string | undefined;
  /** The origin of the page. It decides the names of cookies, and phones use it to autofill a code. */
  origin: string;
}

/** What a signing link opens: the document, its recipients, the link's recipient, and what that recipient may do. */
export interface SigningSession {
  document: Document;
  recipients: Recipient[];
  recipient: Recipient;
  /** Whether the recipient must first enter a code or sign in. Until then only the document's title may be shown. */
  isLocked: boolean;
  needs: Needs;
  state: SigningState;
}

/** Reads the session to show the page, without a lock. Throws `link_unknown`. */
export async function readSession(world: World, db: Queryable, access: Access): Promise<SigningSession> {
  const owner = await ownerOf(db, access);
  const document = await findDocument(db, owner.document_id);
  const recipients = await listRecipients(db, owner.account_id, owner.document_id);
  return assemble(world, db, access, document, recipients, owner, (recipient) => {
    return anyOf(verificationsOf(access, recipient), (token) => isVerified(world, db, recipient.id, token));
  });
}

/**
 * Locks the document, then reads everything that a decision depends on. The link is looked up before the lock only to
 * find the document; `assemble` checks it again with the current recipient.
 */
export async function lockSession(world: World, tx: Tx, access: Access): Promise<SigningSession> {
  const owner = await ownerOf(tx, access);
  const document = await lockDocument(tx, owner.account_id, owner.document_id, 'all');
  const recipients = await listRecipients(tx, owner.account_id, owner.document_id);
  return assemble(world, tx, access, document, recipients, owner, (recipient) => {
    return anyOf(verificationsOf(access, recipient), (token) => renewVerification(world, tx, recipient.id, token));
  });
}

/** Returns the verifications that the browser sends, which may have ended. */
export function verificationsOf({ cookies, origin }: Access, { id }: Pick<Recipient, 'id'>): string[] {
  return readVerificationCookies(cookies, id, origin);
}

async function anyOf(tokens: readonly string[], holds: (token: string) => Promise<boolean>): Promise<boolean> {
  for (const token of tokens) if (await holds(token)) return true;
  return false;
}

/** Whether the recipient could act if they entered a code or signed in. */
export function asksForProof({ state }: SigningSession): boolean {
  return (state.kind === 'needs_code' || state.kind === 'needs_account') && state.opens === 'document';
}

/** Throws the error of the state unless the document waits for a code. */
export function assertAsksForCode({ state }: SigningSession): void {
  if (state.kind !== 'needs_code' && state.kind !== 'open') throw new SigningError(refusalOf(state));
}

async function ownerOf(db: Queryable, access: Access): Promise<LinkOwner> {
  const owner = await findLinkOwner(db, access.token);
  if (owner === null) {
    throw new SigningError('link_unknown', { reassigned: (await findReassignedLink(db, access.token)) ?? undefined });
  }
  addLogContext({ account_id: owner.account_id });
  return owner;
}

async function assemble(
  world: World,
  db: Queryable,
  access: Access,
  document: Document | null,
  recipients: Recipient[],
  owner: LinkOwner,
  isVerifiedAs: (recipient: Recipient) => boolean | Promise<boolean>,
): Promise<SigningSession> {
  // If the recipient was reassigned since the link was looked up, the link has ended.
  const recipient = recipients.find(({ id, holder }) => id === owner.recipient_id && holder === owner.holder);
  if (document === null || recipient === undefined) throw new SigningError('link_unknown');
  const needs = {
    code: recipient.auth_level === 'l1_email_sms_otp' && !(await isVerifiedAs(recipient)),
    account:
      recipient.auth_level === 'l0_account_session' &&
      !(await hasSession(world, db, access, recipient)) &&
      // In test mode no address can be proved, so the page may open this one document.
      !(document.sent_mode === 'test' && (await isVerifiedAs(recipient))),
  };
  const state = signingStateOf(document, recipients, recipient, needs, world.clock.now());
  return { document, recipients, recipient, isLocked: needs.code || needs.account, needs, state };
}

/** Whether the browser is signed in with the recipient's e-mail address, as a member of any company or of none. */
async function hasSession(world: World, db: Queryable, access: Access, { email }: Recipient): Promise<boolean> {
  const token = readSessionCookie(access.cookies, 'open', access.origin);
  return token !== null && email !== null && isSignedInAs(world, db, token, email);
}
