import type { Queryable } from '../postgres/database.ts';
import { readDocumentFile } from './attachment.ts';
import type { Document } from './document.ts';
import { fileKey } from './stored-files.ts';

type WithFiles = Pick<
  Document,
  'id' | 'account_id' | 'is_migrated' | 'sealed_at' | 'sealed_file' | 'completed_at' | 'status' | 'seal_changed_page'
>;

/** Returns whether a completed document has its final PDF, so that `completedFileKey` returns a key. */
export function hasCompletedFile({ is_migrated, sealed_file }: Pick<Document, 'is_migrated' | 'sealed_file'>): boolean {
  return is_migrated || sealed_file !== null;
}

/**
 * Returns the file store key of the PDF of a completed document: the PDF sealed by Countersign or by the e-signature
 * vendor. Returns null if the document is not sealed yet or not completed.
 */
export async function completedFileKey(
  db: Queryable,
  document: Pick<WithFiles, 'id' | 'account_id' | 'is_migrated' | 'sealed_file'>,
): Promise<string | null> {
  return document.is_migrated ? originalFileKey(db, document) : document.sealed_file;
}

/** Returns the file store key of the file that was attached or imported, or null if there is none. */
export async function originalFileKey(
  db: Queryable,
  { account_id, id }: Pick<Document, 'account_id' | 'id'>,
): Promise<string | null> {
  const file = await readDocumentFile(db, account_id, id);
  return file && fileKey(file.sha256.toString('hex'));
}

/** Whether there is a completed PDF to download. `delayed` until an operator retries a stopped seal. */
export type CopyStatus = 'ready' | 'preparing' | 'delayed' | 'erased';

/** Takes a completed document. */
export function copyStatus(document: Omit<WithFiles, 'id' | 'account_id' | 'completed_at'>): CopyStatus {
  if (hasCompletedFile(document)) return 'ready';
  if (isToBeSealed(document)) return 'preparing';
  return document.sealed_at === null ? 'delayed' : 'erased';
}

/** Whether the sealed PDF of a completed document is still being made. */
export function isToBeSealed({
  status,
  is_migrated,
  sealed_at,
  seal_changed_page,
}: Pick<WithFiles, 'status' | 'is_migrated' | 'sealed_at' | 'seal_changed_page'>): boolean {
  return status === 'completed' && !is_migrated && sealed_at === null && seal_changed_page === null;
}

/**
 * Returns the file store key of the PDF to download: the sealed PDF of a completed document, the original file of any
 * other. `isSealing` is true while the sealed PDF of a completed document is not ready. It is false when there will be none: it was
 * erased, its seal was stopped, or the document was voided before it was sealed.
 */
export async function pdfKey(db: Queryable, document: WithFiles): Promise<{ key: string | null; isSealing: boolean }> {
  if (document.completed_at === null) return { key: await originalFileKey(db, document), isSealing: false };
  const key = await completedFileKey(db, document);
  return { key, isSealing: key === null && isToBeSealed(document) };
}
