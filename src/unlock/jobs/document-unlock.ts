import type { DocumentStatus } from '../../documents/document.ts';
import { lockDocumentShared } from '../../documents/queries.ts';
import type { World } from '../../platform/world.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';

export const unlockStatuses = ['unlocked', 'pending', 'skipped', 'failed'] as const;
export const unlockReasons = ['insufficient_credits', 'encrypted_pdf', 'no_text', 'conversion_failed'] as const;

export type UnlockStatus = (typeof unlockStatuses)[number];
export type UnlockReason = (typeof unlockReasons)[number];

/** One row of `document_unlocks`: the unlocking of a document's file, present or earlier. */
export interface DocumentUnlock {
  document_id: string;
  account_id: string;
  source_sha256: Buffer;
  status: UnlockStatus;
  reason: UnlockReason | null;
  attempts: number;
  pages: number | null;
  credits: number;
  /** The unlocked pages in the file store, gzipped. */
  sha256: Buffer | null;
  /** The PDF last rendered from the text, in the file store. */
  rendered_sha256: Buffer | null;
  /** The rendered PDF that is now the document's file. The unlocked original stays in the store for its pictures. */
  used_sha256: Buffer | null;
  requested_at: Timestamp;
  finished_at: Timestamp | null;
}

const columns = `document_id, account_id, source_sha256, status, reason, attempts, pages, credits, sha256,
  rendered_sha256, used_sha256, requested_at, finished_at`;

/** Whether the row concerns this file: the one that was unlocked or the one rendered from its text. */
export function isAbout(
  { source_sha256, used_sha256 }: Pick<DocumentUnlock, 'source_sha256' | 'used_sha256'>,
  sha256: Buffer,
): boolean {
  return source_sha256.equals(sha256) || used_sha256?.equals(sha256) === true;
}

/** Whether people are offered unlocking: not twice, and not for a voided document. */
export function mayBeUnlocked(document: DocumentStatus, unlock: UnlockStatus | null): boolean {
  return document !== 'voided' && unlock !== 'unlocked' && unlock !== 'pending';
}

export async function findUnlock(db: Queryable, accountId: string, documentId: string): Promise<DocumentUnlock | null> {
  const rows = await db.query<DocumentUnlock>({
    name: 'find_unlock',
    text: `select ${columns} from document_unlocks where account_id = $1 and document_id = $2`,
    values: [accountId, documentId],
  });
  return rows[0] ?? null;
}

export interface FileToUnlock {
  sha256: Buffer;
  page_count: number;
  document_status: DocumentStatus;
}

/** Locks the document's row, creating it if needed. Null for a document without a file. */
export async function lockUnlock(
  world: World,
  tx: Tx,
  accountId: string,
  documentId: string,
): Promise<{ unlock: DocumentUnlock; file: FileToUnlock } | null> {
  await lockDocumentShared(tx, accountId, documentId);
  await tx.query({
    name: 'make_unlock',
    text: `insert into document_unlocks (document_id, account_id, source_sha256, status, requested_at)
           select document_id, account_id, sha256, 'pending', $3 from document_files
           where account_id = $1 and document_id = $2
           on conflict (document_id) do nothing`,
    values: [accountId, documentId, world.clock.now()],
  });
  const [rows, files] = await Promise.all([
    tx.query<DocumentUnlock>({
      name: 'lock_unlock',
      text: `select ${columns} from document_unlocks where account_id = $1 and document_id = $2 for update`,
      values: [accountId, documentId],
    }),
    tx.query<FileToUnlock>({
      name: 'read_file_to_unlock',
      text: `select f.sha256, f.page_count, d.status as document_status from document_files f
             join documents d on d.account_id = $1 and d.id = $2 where f.account_id = $1 and f.document_id = $2`,
      values: [accountId, documentId],
    }),
  ]);
  return rows[0] && files[0] ? { unlock: rows[0], file: files[0] } : null;
}

/** Resets the locked row for a new attempt. The earlier text and its changes are deleted. */
export async function restartUnlock(world: World, tx: Tx, documentId: string, sourceSha256: Buffer): Promise<void> {
  await tx.query({
    name: 'restart_unlock',
    text: `with forgotten as (delete from unlocked_pages where document_id = $1)
           update document_unlocks
           set source_sha256 = $2, status = 'pending', reason = null, attempts = 0, pages = null, credits = 0,
             sha256 = null, rendered_sha256 = null, rendered_version = null, rendered_pages = null,
             used_sha256 = null, version = version + 1, requested_at = $3, finished_at = null
           where document_id = $1`,
    values: [documentId, sourceSha256, world.clock.now()],
  });
}

export async function countAttempt(tx: Tx, documentId: string): Promise<void> {
  await tx.query({
    name: 'count_unlock_attempt',
    text: 'update document_unlocks set attempts = attempts + 1 where document_id = $1',
    values: [documentId],
  });
}

/** For so long a document waits for what keeps it from being unlocked. Then failed attempts count. */
const patienceMs = 86_400_000;

/** Takes back an attempt that failed for another reason than the file. */
export async function uncountAttempt(
  world: World,
  db: Queryable,
  { document_id, source_sha256 }: DocumentUnlock,
): Promise<void> {
  await db.query({
    name: 'uncount_unlock_attempt',
    text: `update document_unlocks set attempts = greatest(attempts - 1, 0)
           where document_id = $1 and source_sha256 = $2 and status = 'pending' and requested_at > $3`,
    values: [document_id, source_sha256, new Date(world.clock.now().getTime() - patienceMs)],
  });
}

export type UnlockEnding =
  | { status: 'unlocked'; pages: number; credits: number; sha256: Buffer }
  | { status: 'skipped' | 'failed'; reason: UnlockReason }
  /** The document has another file by now, or was voided. */
  | { status: 'skipped'; reason: null };

export interface UnlockOutcome {
  status: UnlockStatus;
  reason: UnlockReason | null;
  pages: number | null;
  credits: number;
}

/** Called with every outcome, in the transaction that records it. Imports update the items that wait for it. */
export type OnOutcome = (tx: Tx, documentId: string, outcome: UnlockOutcome) => Promise<void>;

/** Ends the locked row and reports the outcome. */
export async function endUnlock(
  { world, onOutcome }: { world: World; onOutcome: OnOutcome },
  tx: Tx,
  documentId: string,
  ending: UnlockEnding,
): Promise<void> {
  const { pages, credits, sha256 } = ending.status === 'unlocked' ? ending : { pages: null, credits: 0, sha256: null };
  const reason = ending.status === 'unlocked' ? null : ending.reason;
  await tx.query({
    name: 'end_unlock',
    text: `update document_unlocks
           set status = $2, reason = $3, pages = $4, credits = $5, sha256 = $6, finished_at = $7 where document_id = $1`,
    values: [documentId, ending.status, reason, pages, credits, sha256, world.clock.now()],
  });
  await onOutcome(tx, documentId, { status: ending.status, reason, pages, credits });
}
