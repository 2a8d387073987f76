import { join } from 'node:path';
import { appendAudit } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { findDocument, listRecipients, lockDocument } from '../documents/queries.ts';
import { recordSealedFile } from '../documents/sealed-files.ts';
import { type FileContent, fileKey, keepUncounted, releaseUncounted, storeFile } from '../documents/stored-files.ts';
import { enqueueMessages, reachableRecipients } from '../messages/enqueue-messages.ts';
import { hasJob } from '../messages/has-job.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import { PdfWorkerError } from '../pdf/process/pdf-worker-error.ts';
import type { FileStore } from '../platform/files.ts';
import { withTemporaryDirectory } from '../platform/temporary-directory.ts';
import { withLocalFile } from '../platform/with-local-file.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { ChangedPageError } from '../sealing/attached/changed-page-error.ts';
import type { SealedPdf } from '../sealing/jobs.ts';
import type { PdfWorker } from '../sealing/pdf-worker.ts';
import type { SealInput } from '../sealing/seal-input.ts';
import { attestActs } from './attest-acts.ts';
import { loadSealInput } from './load-seal-input.ts';
import { stopSeal } from './stop-seal.ts';

export interface Sealing {
  pdf: PdfWorker;
  files: FileStore;
  queue: JobQueue;
  /** The public origin of the service. */
  origin: () => string;
}

/** Attempts after which a file that exceeds the limits of the PDF process is embedded: about ten minutes after the first. */
const attemptsMax = 6;

/**
 * Makes the attestations that are missing, then makes and stores the sealed PDF of a completed document and enqueues everyone's
 * copy. A child process draws and signs it. One final transaction records it; until that commits the document is completed but
 * not sealed, and the job runs again. If two jobs seal, the first result stays. A page that would look different stops the seal.
 * `attempt`: of the job, from 1. A file that takes too long or too much memory is embedded in a later attempt.
 */
export async function sealDocument(
  world: World,
  db: Database,
  sealing: Sealing,
  documentId: string,
  attempt: number,
): Promise<void> {
  const document = await findDocument(db, documentId);
  if (document === null || document.status !== 'completed' || document.sealed_at !== null) return;
  if (document.is_migrated) return; // the vendor sealed it
  if (document.seal_changed_page !== null) return; // stopped until an operator retries it
  await attestActs(world, db, sealing.pdf, document);
  const input = await loadSealInput(world, db, document, `${sealing.origin()}/verify`);

  try {
    await withTemporaryDirectory(async (directory) => {
      const output = join(directory, 'sealed.pdf');
      const sealed = await makeSealedFile(world, db, sealing, input, output).catch((error) => {
        if (attempt < attemptsMax || !isOverLimits(error) || input.document.file === null) throw error;
        world.log.warn('sealing exceeded its limits: the attached file is embedded unchanged', {
          document_id: document.id,
        });
        return makeSealedFile(world, db, sealing, embedding(input), output);
      });
      if (sealed.isLate) warnOfEmbedding(world, document);
      await db.transaction((tx) => markSealed(world, tx, sealing.queue, document, sealed));
    });
  } catch (error) {
    if (!(error instanceof ChangedPageError)) throw error;
    await stopSeal(world, db, document, error.page);
  }
}

/** Whether the PDF process was ended, which could happen again with the same file. */
function isOverLimits(error: unknown): boolean {
  return error instanceof PdfWorkerError && ['timeout', 'memory', 'crashed'].includes(error.failure);
}

/** The same with the file embedded in pages that are quick to draw, whatever the file is. */
function embedding(input: SealInput): SealInput {
  const { document } = input;
  const file = document.file && { ...document.file, isEmbedded: true, withoutPictures: true };
  return { ...input, document: { ...document, file } };
}

function warnOfEmbedding({ log }: World, { id }: Document): void {
  const message = 'the page comparison ran out of time: the attached file was embedded unchanged';
  log.warn(message, { document_id: id });
}

/** Makes the sealed PDF on disk, because an attached file may have 150 MB. It is removed after an hour unless a document names it. */
async function makeSealedFile(
  world: World,
  db: Database,
  { pdf, files }: Sealing,
  input: SealInput,
  output: string,
): Promise<SealedPdf> {
  const { file } = input.document;
  const seal = (source: string | null) => pdf.seal(input, { source, output });
  const sealed = await (file === null ? seal(null) : withLocalFile(files, fileKey(file.sha256), seal));
  await storeFile(world, db, files, contentOf(sealed), output);
  return sealed;
}

async function markSealed(
  world: World,
  tx: Tx,
  queue: JobQueue,
  completed: Document,
  sealed: SealedPdf,
): Promise<void> {
  const document = await lockDocument(tx, completed.account_id, completed.id, 'all');
  if (document === null || document.sealed_at !== null || document.status !== 'completed') {
    // Another job was first, or the document was erased: nothing refers to this file.
    return releaseUncounted(tx, world, [contentOf(sealed)]);
  }
  await keepUncounted(tx, contentOf(sealed));
  const recipients = await listRecipients(tx, document.account_id, document.id);
  const now = world.clock.now().toISOString();
  await Promise.all([
    recordSealedFile(tx, document, sealed),
    appendAudit(
      tx,
      document,
      [
        { at: now, actor: 'service', action: 'sealed', detail: { sha256: sealed.sha256 } },
        ...reachableRecipients(document, recipients).map((recipient) => ({
          at: now,
          actor: 'service' as const,
          action: 'copied' as const,
          detail: { recipient_id: recipient.id, channel: recipient.channel },
        })),
      ],
      { name: 'seal_document', columns: { sealed_at: now, sealed_file: fileKey(sealed.sha256) } },
    ),
    markCopiesSent(tx, document, now),
    enqueueMessages(world, tx, queue, document, recipients, 'completed_copy'),
  ]);
}

function contentOf({ sha256, bytes }: SealedPdf): FileContent {
  return { sha256: Buffer.from(sha256, 'hex'), bytes };
}

/** Changes each `cc` from pending to sent, now that the completed copy is sent. */
async function markCopiesSent(tx: Tx, document: Document, now: Timestamp): Promise<void> {
  await tx.query({
    name: 'mark_copies_sent',
    text: `update recipients set status = 'sent', sent_at = $3
           where account_id = $1 and document_id = $2 and party_role = 'cc' and status = 'pending'`,
    values: [document.account_id, document.id, now],
  });
}

/** Completed documents that wait for their seal. The seals of others were stopped until an operator retries them. */
const isUnsealed =
  "completed_at is not null and sealed_at is null and seal_changed_page is null and not is_migrated and status = 'completed'";

/** When the first of the documents that wait for their seal was completed. Null if none waits. */
export async function unsealedSince(db: Queryable): Promise<Timestamp | null> {
  const rows = await db.query<{ completed_at: Timestamp }>({
    name: 'unsealed_since',
    text: `select completed_at from documents where ${isUnsealed} order by completed_at limit 1`,
    values: [],
  });
  return rows[0]?.completed_at ?? null;
}

/**
 * Enqueues again the seals of documents that were completed some time ago and have no job: it was lost, or given up. Returns how
 * many, at most `limit`.
 */
export async function requeueUnsealed(world: World, db: Database, queue: JobQueue, limit = 100): Promise<number> {
  const overdue = new Date(world.clock.now().getTime() - 15 * 60_000);
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string; account_id: string }>({
      name: 'find_unsealed',
      text: `select id, account_id from documents
             where completed_at < $1 and ${isUnsealed} and not ${hasJob('seal-document', 'documents.id::text')}
             order by completed_at limit $2`,
      values: [overdue, limit],
    });
    await queue.enqueue(
      tx,
      rows.map((row) => ({ name: 'seal-document', accountId: row.account_id, documentId: row.id })),
    );
    return rows.length;
  });
}
