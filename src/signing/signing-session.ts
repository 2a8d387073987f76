import type { Document } from '../documents/document.ts';
import { findDocument, listRecipients, lockDocument } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import { SigningError } from './signing-error.ts';
import { findLinkOwner } from './signing-link.ts';
import { type SigningState, signingStateOf } from './signing-state.ts';

/** Everything a link leads to: the document, its parties, the one who holds the link, and what that one may do. */
export interface SigningSession {
  document: Document;
  recipients: Recipient[];
  reader: Recipient;
  state: SigningState;
}

/** To show the page: no lock, no change. Throws `link_unknown`. */
export async function readSession(world: World, db: Queryable, token: string): Promise<SigningSession> {
  const owner = await ownerOf(db, token);
  const document = await findDocument(db, owner.document_id);
  const recipients = await listRecipients(db, owner.account_id, owner.document_id);
  return assemble(world, document, recipients, owner.recipient_id);
}

/** To sign, decline or mark as viewed: the document is locked, so two wishes come one after the other. */
export async function lockSession(world: World, tx: Tx, token: string): Promise<SigningSession> {
  const owner = await ownerOf(tx, token);
  const document = await lockDocument(tx, owner.account_id, owner.document_id, 'all');
  // After the lock, so that what the last holder committed is seen.
  const recipients = await listRecipients(tx, owner.account_id, owner.document_id);
  return assemble(world, document, recipients, owner.recipient_id);
}

async function ownerOf(db: Queryable, token: string) {
  const owner = await findLinkOwner(db, token);
  if (owner === null) throw new SigningError('link_unknown');
  return owner;
}

function assemble(
  world: World,
  document: Document | null,
  recipients: Recipient[],
  recipientId: string,
): SigningSession {
  const reader = recipients.find((recipient) => recipient.id === recipientId);
  if (document === null || reader === undefined) throw new SigningError('link_unknown');
  return { document, recipients, reader, state: signingStateOf(document, recipients, reader, world.clock.now()) };
}
