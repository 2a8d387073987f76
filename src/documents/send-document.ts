import { createHash } from 'node:crypto';
import { certificateTerms, consentTerms, readSigningSettings } from '../accounts/signing-settings.ts';
import type { Actor } from '../actor.ts';
import { ApiError } from '../errors.ts';
import type { KeyMode } from '../keys/api-key.ts';
import { enqueueMessages } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { readAttachment } from './attachment.ts';
import { appendAudit } from './audit.ts';
import { contentOf } from './content.ts';
import { assertSendable, type Document, expiryOf, expiryReminderOf, unscheduled } from './document.ts';
import { eventDocument } from './event-document.ts';
import { newContactSalt } from './hidden-details.ts';
import type { DocumentJsonRow } from './json.ts';
import { findMirroredStatus, listRecipients, lockDocument } from './queries.ts';
import { nextInTurn, type Recipient } from './recipient.ts';

export interface Sender {
  accountId: string;
  actor: Actor;
  /** The documents that may be sent. `visible`: those that API keys can see. `all`: restricted documents too. */
  sees: 'visible' | 'all';
  /** The mode of the key that sends. A document sent in test mode never sends messages. */
  mode: KeyMode;
}

/**
 * Sends an unsent document in the caller's transaction: updates its row and the recipients whose turn it is, and adds the
 * event, the audit entries and the delivery jobs. Throws `document_not_found`, `tenant_divergence` and the codes of
 * `assertSendable`.
 */
export async function sendDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  sender: Sender,
  id: string,
): Promise<DocumentJsonRow> {
  const [document, recipients, mirrored, attachment, settings] = await Promise.all([
    lockDocument(tx, sender.accountId, id, sender.sees),
    listRecipients(tx, sender.accountId, id),
    findMirroredStatus(tx, sender.accountId, id),
    readAttachment(tx, sender.accountId, id),
    readSigningSettings(tx, sender.accountId),
  ]);
  if (document === null || document.is_template) throw new ApiError('document_not_found');
  assertOneAccount(document, recipients);
  assertSendable(document, recipients, mirrored);

  const now = world.clock.now();
  const sent = {
    status: 'sent',
    sent_mode: sender.mode,
    sent_at: now.toISOString(),
    updated_at: now.toISOString(),
    expires_at: expiryOf(document, now)?.toISOString() ?? null,
    expiry_reminder_at: expiryReminderOf(document, sender.mode, now)?.toISOString() ?? null,
    ...unscheduled,
    ...consentTerms(settings),
    ...certificateTerms(settings),
    content_sha256: createHash('sha256')
      .update(contentOf(document, recipients, attachment))
      .digest(),
  } as const;
  Object.assign(document, sent);
  const next = takeNextTurn(document, recipients, sent.sent_at);

  await Promise.all([
    appendAudit(
      tx,
      document,
      [
        {
          at: sent.sent_at,
          actor: sender.actor,
          action: 'sent',
          detail: { mode: sent.sent_mode, content_sha256: sent.content_sha256.toString('hex') },
        },
        ...requestedEntries(next, sent.sent_at),
      ],
      { name: 'send_document', columns: sent },
    ),
    requestSignatures(world, tx, queue, document, next, sent.sent_at),
    ...(sent.masks_contacts ? [saltContacts(tx, recipients)] : []),
    recordEvent(world, tx, {
      accountId: document.account_id,
      documentId: document.id,
      type: 'document.sent',
      document: eventDocument(document),
    }),
  ]);
  return document;
}

/** Stores the salts of the hashes that the certificate of completion prints with masked contact details. */
async function saltContacts(tx: Tx, recipients: readonly Recipient[]): Promise<void> {
  await tx.query({
    name: 'salt_contacts',
    text: `update recipients r set contact_salt = s.salt from unnest($2::uuid[], $3::bytea[]) as s (id, salt)
           where r.account_id = $1 and r.id = s.id`,
    values: [recipients[0]?.account_id, recipients.map(({ id }) => id), recipients.map(newContactSalt)],
  });
}

/** Throws `tenant_divergence` if a recipient's row belongs to another account. Such data is broken and must not be sent. */
function assertOneAccount(document: Document, recipients: Recipient[]): void {
  const stray = recipients.find((recipient) => recipient.account_id !== document.account_id);
  if (stray === undefined) return;
  const cause = new Error(`recipient ${stray.id} of document ${document.id} belongs to another account`);
  throw new ApiError('tenant_divergence', { cause });
}

/** Requests signatures from the recipients whose turn it is, after one has signed. */
export async function requestNextSignatures(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  recipients: Recipient[],
): Promise<void> {
  const now = world.clock.now().toISOString();
  const next = takeNextTurn(document, recipients, now);
  if (next.length === 0) return;
  await Promise.all([
    appendAudit(tx, document, requestedEntries(next, now)),
    requestSignatures(world, tx, queue, document, next, now),
  ]);
}

/** Returns the recipients whose turn it is, marked as asked. */
function takeNextTurn(document: Document, recipients: Recipient[], at: Timestamp): Recipient[] {
  const next = nextInTurn(recipients, document.sign_order_mode);
  for (const recipient of next) Object.assign(recipient, { status: 'sent', sent_at: at });
  return next;
}

async function requestSignatures(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  next: Recipient[],
  at: Timestamp,
): Promise<void> {
  await Promise.all([
    tx.query({
      name: 'mark_recipients_sent',
      text: `update recipients set status = 'sent', sent_at = $3
             where account_id = $1 and id = any ($2::uuid[]) and status = 'pending'`,
      values: [document.account_id, next.map((recipient) => recipient.id), at],
    }),
    enqueueMessages(world, tx, queue, document, next, 'signature_request'),
  ]);
}

function requestedEntries(next: readonly Recipient[], at: Timestamp) {
  return next.map((recipient) => ({
    at,
    actor: 'service' as const,
    action: 'requested' as const,
    detail: { recipient_id: recipient.id, name: recipient.display_name, channel: recipient.channel },
  }));
}
