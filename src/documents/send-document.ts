import { createHash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { KeyMode } from '../keys/api-key.ts';
import type { Tx } from '../postgres/database.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { World } from '../world/world.ts';
import { readAttachment } from './attachment.ts';
import { appendAudit } from './audit.ts';
import { contentOf } from './content.ts';
import { assertSendable, type Document, expiryOf } from './document.ts';
import { eventDocument } from './event-document.ts';
import type { DocumentJsonRow } from './json.ts';
import { enqueueMessages, type JobQueue } from './messages.ts';
import { findMirroredStatus, listRecipients, lockDocument } from './queries.ts';
import { nextInTurn, type Recipient } from './recipient.ts';

export interface Sender {
  accountId: string;
  /** For the audit trail, `api_key:<id>` or `person:<id>`. */
  actor: string;
  /** What an API key may see, or what an owner or admin may. */
  sees: 'visible' | 'all';
  /** The key that sends decides whether messages leave, for the document's whole life. */
  mode: KeyMode;
}

/**
 * Moves a draft to `sent`: row, recipients whose turn it is, event, audit and delivery jobs in the caller's transaction.
 * Throws `document_not_found` and the codes of `assertSendable`.
 */
export async function sendDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  sender: Sender,
  id: string,
): Promise<DocumentJsonRow> {
  const [document, recipients, mirrored, attachment] = await Promise.all([
    lockDocument(tx, sender.accountId, id, sender.sees),
    listRecipients(tx, sender.accountId, id),
    findMirroredStatus(tx, sender.accountId, id),
    readAttachment(tx, sender.accountId, id),
  ]);
  if (document === null || document.is_template) throw new ApiError('document_not_found');
  assertOneCompany(document, recipients);
  assertSendable(document, recipients, mirrored);

  const now = world.clock.now();
  const content = contentOf(document, recipients, attachment);
  document.status = 'sent';
  document.sent_mode = sender.mode;
  document.sent_at = now.toISOString();
  document.updated_at = now.toISOString();
  document.expires_at = expiryOf(document, now)?.toISOString() ?? null;
  document.content_sha256 = createHash('sha256').update(content).digest();

  await Promise.all([
    markDocumentSent(tx, document),
    appendAudit(tx, document, [
      {
        at: document.sent_at,
        actor: sender.actor,
        action: 'sent',
        detail: { mode: sender.mode, content_sha256: document.content_sha256.toString('hex') },
      },
    ]),
    requestNextSignatures(world, tx, queue, document, recipients),
    recordEvent(world, tx, {
      accountId: document.account_id,
      documentId: document.id,
      type: 'document.sent',
      document: eventDocument(document),
    }),
  ]);
  return document;
}

/** A recipient's row of another company is a fault in the data: then nobody is asked to sign anything. */
function assertOneCompany(document: Document, recipients: Recipient[]): void {
  const stray = recipients.find((recipient) => recipient.account_id !== document.account_id);
  if (stray === undefined) return;
  const cause = new Error(`recipient ${stray.id} of document ${document.id} belongs to another account`);
  throw new ApiError('tenant_divergence', { cause });
}

/** Asks those whose turn has come: at sending, and again each time somebody signs. */
export async function requestNextSignatures(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  recipients: Recipient[],
): Promise<void> {
  const asked = nextInTurn(recipients, document.sign_order_mode);
  if (asked.length === 0) return;
  const now = world.clock.now().toISOString();
  for (const recipient of asked) Object.assign(recipient, { status: 'sent', sent_at: now });
  await Promise.all([
    tx.query({
      name: 'mark_recipients_asked',
      text: `update recipients set status = 'sent', sent_at = $3
             where account_id = $1 and id = any ($2::uuid[]) and status = 'pending'`,
      values: [document.account_id, asked.map((recipient) => recipient.id), now],
    }),
    enqueueMessages(world, tx, queue, document, asked, 'signature_request'),
    appendAudit(
      tx,
      document,
      asked.map((recipient) => ({
        at: now,
        actor: 'service',
        action: 'requested',
        detail: { recipient_id: recipient.id, name: recipient.display_name, channel: recipient.channel },
      })),
    ),
  ]);
}

async function markDocumentSent(tx: Tx, document: Document): Promise<void> {
  await tx.query({
    name: 'mark_document_sent',
    text: `update documents set status = 'sent', sent_mode = $3, sent_at = $4, updated_at = $4, expires_at = $5,
             content_sha256 = $6
           where account_id = $1 and id = $2`,
    values: [
      document.account_id,
      document.id,
      document.sent_mode,
      document.sent_at,
      document.expires_at,
      document.content_sha256,
    ],
  });
}
