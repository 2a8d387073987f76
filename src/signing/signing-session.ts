import type { Document } from '../documents/document.ts';
import { findDocument, listRecipients, lockDocument } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import { readSessionCookie } from '../identity/session-cookie.ts';
import { isSignedInAs } from '../identity/sessions.ts';
import { addLogContext } from '../platform/log-context.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { findLinkOwner, type LinkOwner } from './signing-link.ts';
import { type Lacks, type SigningState, signingStateOf } from './signing-state.ts';
import { isVerified, renewVerification } from './verification.ts';
import { readVerificationCookie } from './verification-cookie.ts';

/** What a browser brings to be let in. */
export interface Access {
  /** The token of the address. */
  token: string;
  /** The `Cookie` header: it may hold a verification, or that of a session. */
  cookies: string | undefined;
  /** Of our pages, by which the cookie of a session is called. */
  origin: string;
}

/** Everything a link leads to: the document, its parties, the one who holds the link, and what that one may do. */
export interface SigningSession {
  document: Document;
  recipients: Recipient[];
  reader: Recipient;
  /** The reader still has to prove who it is: until then nothing of the document but its title may be shown. */
  isLocked: boolean;
  lacks: Lacks;
  state: SigningState;
}

/** To show the page: no lock, no change. Throws `link_unknown`. */
export async function readSession(world: World, db: Queryable, access: Access): Promise<SigningSession> {
  const owner = await ownerOf(db, access);
  const document = await findDocument(db, owner.document_id);
  const recipients = await listRecipients(db, owner.account_id, owner.document_id);
  return assemble(world, db, access, document, recipients, owner, (reader) => {
    const proof = readVerificationCookie(access.cookies, reader.id, access.origin);
    return proof !== null && isVerified(world, db, reader.id, proof);
  });
}

/**
 * Locks the document, then reads everything that a decision depends on. The link was looked up before the lock, only to
 * find the document: `assemble` checks it against the recipient as it is now.
 */
export async function lockSession(world: World, tx: Tx, access: Access): Promise<SigningSession> {
  const owner = await ownerOf(tx, access);
  const document = await lockDocument(tx, owner.account_id, owner.document_id, 'all');
  const recipients = await listRecipients(tx, owner.account_id, owner.document_id);
  return assemble(world, tx, access, document, recipients, owner, (reader) => {
    const proof = readVerificationCookie(access.cookies, reader.id, access.origin);
    return proof !== null && renewVerification(world, tx, reader.id, proof);
  });
}

/** Throws the refusal of a state in which a code would open nothing. */
export function assertAsksForCode({ state }: SigningSession): void {
  if (state.kind !== 'needs_code' && state.kind !== 'open') throw new SigningError(refusalOf(state));
}

async function ownerOf(db: Queryable, access: Access): Promise<LinkOwner> {
  const owner = await findLinkOwner(db, access.token);
  if (owner === null) throw new SigningError('link_unknown');
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
  hasProof: (reader: Recipient) => boolean | Promise<boolean>,
): Promise<SigningSession> {
  // The place may have been reassigned since the link was looked up: then the link has ended.
  const reader = recipients.find(({ id, holder }) => id === owner.recipient_id && holder === owner.holder);
  if (document === null || reader === undefined) throw new SigningError('link_unknown');
  const lacks = {
    code: reader.auth_level === 'l1_email_sms_otp' && !(await hasProof(reader)),
    account:
      reader.auth_level === 'l0_account_session' &&
      !(await hasSession(world, db, access, reader)) &&
      // In test mode, where no address can be proved, the page opens this one document.
      !(document.sent_mode === 'test' && (await hasProof(reader))),
  };
  const state = signingStateOf(document, recipients, reader, lacks, world.clock.now());
  return { document, recipients, reader, isLocked: lacks.code, lacks, state };
}

/** Signed in with the recipient's own address: as a member of whichever company, or of none. */
async function hasSession(world: World, db: Queryable, access: Access, { email }: Recipient): Promise<boolean> {
  const token = readSessionCookie(access.cookies, 'open', access.origin);
  return token !== null && email !== null && isSignedInAs(world, db, token, email);
}
