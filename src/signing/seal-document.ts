import { createHash } from 'node:crypto';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { type AuditAction, appendAudit, type ChainedEntry, readAudit } from '../documents/audit.ts';
import { contentOf } from '../documents/content.ts';
import type { Document } from '../documents/document.ts';
import { type JobQueue, oweMessages, reachableRecipients } from '../documents/messages.ts';
import { findDocument, listRecipients, lockDocument } from '../documents/queries.ts';
import { partyKind, type Recipient } from '../documents/recipient.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { FileStore } from '../world/files.ts';
import type { PdfWorker } from '../world/pdf/pdf-worker.ts';
import type { SealInput } from '../world/pdf/seal-input.ts';
import type { World } from '../world/world.ts';

export interface Sealing {
  pdf: PdfWorker;
  files: FileStore;
  queue: JobQueue;
}

interface SignatureRow {
  id: string;
  signature_name: string | null;
  signature_png: Buffer | null;
  signed_ip: string | null;
  signed_user_agent: string | null;
}

/**
 * Makes the sealed PDF of a completed document, keeps it, and owes everybody their copy. Load, draw and sign in a child
 * process, store, and only then one transaction: until it commits the document shows as completed and not yet sealed,
 * and the job runs again. Sealing twice keeps the first.
 */
export async function sealDocument(world: World, db: Database, sealing: Sealing, documentId: string): Promise<void> {
  const document = await findDocument(db, documentId);
  if (document === null || document.status !== 'completed' || document.sealed_at !== null) return;
  const input = await loadSealInput(world, db, document);

  const bytes = await sealing.pdf.seal(input);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = `sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  await sealing.files.put(file, bytes);

  await db.transaction((tx) => markSealed(world, tx, sealing.queue, document, file, sha256));
}

async function loadSealInput(world: World, db: Queryable, document: Document): Promise<SealInput> {
  const [recipients, signatures, trail, accountName] = await Promise.all([
    listRecipients(db, document.account_id, document.id),
    readSignatures(db, document),
    readAudit(db, document.account_id, document.id),
    readAccountName(db, document.account_id),
  ]);
  const content = contentOf(document, recipients);
  const contentSha256 = createHash('sha256').update(content).digest('hex');
  // What was signed is what was sent: the digest was frozen then.
  if (contentSha256 !== document.content_sha256?.toString('hex')) {
    throw new Error(`the content of document ${document.id} is not what was sent`);
  }
  return {
    language: document.primary_language,
    accountName,
    document: {
      id: document.id,
      title: document.title,
      type: document.type,
      message: document.message,
      createdAt: document.created_at,
      sentAt: document.sent_at as Timestamp,
      completedAt: document.completed_at as Timestamp,
      contentSha256,
    },
    parties: recipients.map((recipient) => partyOf(recipient, signatures.get(recipient.id), trail)),
    audit: trail.map(auditLine),
    attachments: [
      attachment('content.json', descriptions.content[document.primary_language], content),
      attachment('audit.json', descriptions.audit[document.primary_language], JSON.stringify(trail.map(auditProof))),
    ],
    signingTime: world.clock.now().toISOString(),
  };
}

const descriptions = {
  content: {
    en: 'What was signed. Its SHA-256 is printed on the certificate.',
    es: 'Lo que se firmó. Su SHA-256 figura en el certificado.',
  },
  audit: {
    en: 'The audit trail, each entry chained to the one before.',
    es: 'El registro de auditoría, cada entrada encadenada a la anterior.',
  },
};

async function readSignatures(db: Queryable, document: Document): Promise<Map<string, SignatureRow>> {
  const rows = await db.query<SignatureRow>({
    name: 'read_signatures',
    text: `select id, signature_name, signature_png, signed_ip, signed_user_agent
           from recipients where account_id = $1 and document_id = $2`,
    values: [document.account_id, document.id],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

function partyOf(
  recipient: Recipient,
  signature: SignatureRow | undefined,
  trail: readonly ChainedEntry[],
): SealInput['parties'][number] {
  return {
    id: recipient.id,
    name: recipient.display_name,
    role: recipient.party_role,
    kind: partyKind(recipient),
    email: recipient.email,
    phone: recipient.phone,
    channel: recipient.channel,
    authLevel: recipient.auth_level,
    sentAt: recipient.sent_at,
    viewedAt: recipient.viewed_at,
    signedAt: recipient.signed_at,
    ip: signature?.signed_ip ?? null,
    userAgent: signature?.signed_user_agent ?? null,
    ...proofs(recipient, trail),
    signature: drawnOrTyped(signature),
  };
}

/** The last of each before the signature: by the way of signing, the ones it rests on. */
function proofs(
  { id, signed_at }: Recipient,
  trail: readonly ChainedEntry[],
): Pick<SealInput['parties'][number], 'verification' | 'consent'> {
  const last = (action: AuditAction) =>
    trail.findLast(
      (entry) =>
        entry.action === action && entry.actor === `recipient:${id}` && signed_at !== null && entry.at <= signed_at,
    );
  const verified = last('verified');
  const consented = last('consented');
  return {
    verification: verified
      ? {
          channel: verified.detail.channel as 'sms' | 'page',
          numberEnding: String(verified.detail.number_ending),
          at: verified.at,
        }
      : null,
    consent: consented ? { disclosure: String(consented.detail.disclosure), at: consented.at } : null,
  };
}

function drawnOrTyped(signature: SignatureRow | undefined): SealInput['parties'][number]['signature'] {
  if (signature === undefined || signature.signature_name === null) return null;
  return signature.signature_png === null
    ? { kind: 'typed', text: signature.signature_name }
    : { kind: 'drawn', png: signature.signature_png.toString('base64') };
}

function auditLine(entry: ChainedEntry): SealInput['audit'][number] {
  return {
    seq: entry.seq,
    at: entry.at,
    actor: entry.actor,
    action: entry.action,
    detail: entry.detail,
    hash: entry.hash.toString('hex'),
  };
}

function auditProof(entry: ChainedEntry) {
  return { ...auditLine(entry), previous_hash: entry.previousHash.toString('hex') };
}

function attachment(name: string, description: string, json: string): SealInput['attachments'][number] {
  return { name, mediaType: 'application/json', description, bytes: Buffer.from(json).toString('base64') };
}

async function markSealed(
  world: World,
  tx: Tx,
  queue: JobQueue,
  sealed: Document,
  file: string,
  sha256: string,
): Promise<void> {
  const document = await lockDocument(tx, sealed.account_id, sealed.id, 'all');
  if (document === null || document.sealed_at !== null || document.status !== 'completed') return;
  const recipients = await listRecipients(tx, document.account_id, document.id);
  const now = world.clock.now().toISOString();
  await Promise.all([
    tx.query({
      name: 'mark_document_sealed',
      text: 'update documents set sealed_at = $3, sealed_file = $4 where account_id = $1 and id = $2',
      values: [document.account_id, document.id, now, file],
    }),
    appendAudit(tx, document, [
      { at: now, actor: 'service', action: 'sealed', detail: { sha256 } },
      ...reachableRecipients(document, recipients).map((recipient) => ({
        at: now,
        actor: 'service',
        action: 'copied' as const,
        detail: { recipient_id: recipient.id, channel: recipient.channel },
      })),
    ]),
    markCopiesSent(tx, document, now),
    oweMessages(world, tx, queue, document, recipients, 'completed_copy'),
  ]);
}

/** A `cc` goes from pending to sent when the completed copy goes out (decisions.md, Recipients). */
async function markCopiesSent(tx: Tx, document: Document, now: Timestamp): Promise<void> {
  await tx.query({
    name: 'mark_copies_sent',
    text: `update recipients set status = 'sent', sent_at = $3
           where account_id = $1 and document_id = $2 and party_role = 'cc' and status = 'pending'`,
    values: [document.account_id, document.id, now],
  });
}

/** Completed a while ago and still not sealed: their job was lost or given up, and is asked for again. */
export async function requeueUnsealed(world: World, db: Database, queue: JobQueue): Promise<number> {
  const overdue = new Date(world.clock.now().getTime() - 15 * 60_000);
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string; account_id: string }>({
      name: 'find_unsealed',
      text: `select id, account_id from documents
             where completed_at < $1 and sealed_at is null and status = 'completed' order by completed_at limit 100`,
      values: [overdue],
    });
    await queue.enqueue(
      tx,
      rows.map((row) => ({ name: 'seal-document', accountId: row.account_id, documentId: row.id })),
    );
    return rows.length;
  });
}
