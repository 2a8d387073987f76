import { readSigningSettings } from '../accounts/signing-settings.ts';
import { recipientActor } from '../actor.ts';
import { bodyOfRow } from '../bulk-send/check-rows.ts';
import { appendAudit } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { listRecipients, lockDocument } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import { sendDocument } from '../documents/send-document.ts';
import { draftFromTemplate } from '../documents/templates.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import { isSameEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { Visitor } from '../signing/mark-viewed.ts';
import { SigningError } from '../signing/signing-error.ts';
import { mintSigningLink } from '../signing/signing-link.ts';
import type { CodeHasher } from '../signing/verification-code.ts';
import { availabilityOf, findObstacle, findRole } from './availability.ts';
import { findDocumentOf, recordDocument } from './link-documents.ts';
import { LinkError } from './link-error.ts';
import { lockLink, type PublicLink } from './public-link.ts';
import { count } from './request-code.ts';
import { endVisit, lockVisit, type Person, takeWrongTries, tryCode, type Visit } from './visit.ts';

export interface Acceptance {
  world: World;
  db: Database;
  queue: JobQueue;
  hasher: CodeHasher;
  /** The origin of the signing page. */
  origin: string;
  visitor: Visitor;
}

/**
 * Checks the code of a visit, makes and sends the visitor's document, and returns the address of their signing page.
 *
 * The document, its messages and the counts commit together, so a code makes one document even if it is posted twice or the
 * process is killed. Throws `too_many`, `invalid_code`, `not_open` and `already_used`.
 */
export async function acceptCode(
  acceptance: Acceptance,
  link: PublicLink,
  token: string,
  code: string | null,
): Promise<string> {
  const { world, db, hasher, visitor } = acceptance;
  await count(world, db, 'link_guess_from_ip', visitor.ip);
  if (!(await tryCode(world, db, hasher, link, token, code))) throw new LinkError('invalid_code');
  return db.transaction((tx) => lead(acceptance, tx, link, token));
}

/** Leads a visitor who proved an address to their document. Everything is read again under the link's lock. */
async function lead(acceptance: Acceptance, tx: Tx, { account_id, id }: PublicLink, token: string): Promise<string> {
  const { world, origin } = acceptance;
  const link = await lockLink(tx, account_id, id);
  if (link === null) throw new SigningError('link_unknown');
  const visit = await lockVisit(tx, link, token);
  if (visit === null) throw new LinkError('invalid_code');
  const recipient = await ownRecipient(acceptance, tx, link, visit);
  if (visit.document_id === null) await endVisit(tx, token, recipient.document_id);
  return mintSigningLink(world, tx, origin, recipient);
}

type OwnRecipient = Pick<Recipient, 'id' | 'holder' | 'document_id'>;

/** Finds the recipient that a visitor is, or makes the document in which they are one. */
async function ownRecipient(acceptance: Acceptance, tx: Tx, link: PublicLink, visit: Visit): Promise<OwnRecipient> {
  const { name, email, document_id } = visit;
  if (document_id !== null) {
    const made = await findDocumentOf(tx, link, { documentId: document_id });
    if (made === null || made.holder !== 1) throw new LinkError('already_used');
    return made;
  }
  if (name === null || email === null) throw new Error('a visit without a document has a name and an address');
  const template = await lockTemplate(acceptance.world, tx, link);
  const earlier = link.one_per_email ? await findDocumentOf(tx, link, { email }) : null;
  if (earlier === null) {
    const wrongTries = await takeWrongTries(tx, link, email);
    return makeDocument(acceptance, tx, link, template, { name, email }, wrongTries);
  }
  // The recipient may have been replaced since.
  if (earlier.email === null || !isSameEmail(earlier.email, email)) throw new LinkError('already_used');
  return earlier;
}

interface LockedTemplate {
  template: Document;
  recipients: Recipient[];
  role: Recipient;
}

/** Locks the template of a link that is open. Throws `not_open`. */
async function lockTemplate(world: World, tx: Tx, link: PublicLink): Promise<LockedTemplate> {
  const template = await lockDocument(tx, link.account_id, link.template_id, 'all');
  const recipients = await listRecipients(tx, link.account_id, link.template_id);
  const obstacle = await findObstacle(tx, link, template, recipients);
  if (template === null || availabilityOf(link, obstacle, world.clock.now()) !== 'open') {
    throw new LinkError('not_open');
  }
  const found = findRole(template, recipients);
  if (!found.ok) throw new LinkError('not_open');
  return { template, recipients, role: found.role };
}

/** Makes and sends the document of a visitor. The caller holds the locks of the link and its template. */
async function makeDocument(
  { world, queue, visitor }: Acceptance,
  tx: Tx,
  link: PublicLink,
  { template, recipients, role }: LockedTemplate,
  { name, email }: Person,
  failedTries: number,
): Promise<OwnRecipient> {
  const document = { ...template, primary_language: link.language };
  const body = bodyOfRow({ document, recipients }, [`${role.id} name`, `${role.id} email`], [name, email]);
  const draft = await draftFromTemplate(world, tx, template, link.actor, body, { public_link: link.id });
  const made = (await listRecipients(tx, draft.account_id, draft.id))[recipients.indexOf(role)] as Recipient;
  // The draft gets the settings when it is sent, and this entry comes before.
  const { shows_devices } = await readSigningSettings(tx, draft.account_id);
  await appendAudit(tx, { ...draft, shows_devices }, [
    {
      at: world.clock.now().toISOString(),
      actor: recipientActor(made.id),
      action: 'verified',
      detail: {
        name,
        channel: 'email',
        failed_tries: failedTries,
        public_link: link.id,
        ip: visitor.ip,
        user_agent: visitor.userAgent,
      },
    },
  ]);
  // Links send in live mode only, as the console does.
  const sender = { accountId: link.account_id, actor: link.actor, sees: 'all', mode: 'live' } as const;
  await sendDocument(world, tx, queue, sender, draft.id);
  await recordDocument(tx, link, made, email);
  return made;
}
