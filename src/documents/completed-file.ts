import type { Queryable } from '../postgres/database.ts';
import { readDocumentFile } from './attachment.ts';
import type { Document } from './document.ts';
import { fileKey } from './stored-files.ts';

type WithFiles = Pick<Document, 'id' | 'account_id' | 'is_migrated' | 'sealed_file' | 'completed_at'>;

/** Whether `completedFileKey` finds one for a completed document. */
export function hasCompletedFile({ is_migrated, sealed_at }: Pick<Document, 'is_migrated' | 'sealed_at'>): boolean {
  return is_migrated || sealed_at !== null;
}

/**
 * Where the PDF of a completed document is in the file store: what we sealed, or what the e-signature vendor did. Null
 * while it is not sealed yet, and for a document that is not completed.
 */
export async function completedFileKey(
  db: Queryable,
  document: Omit<WithFiles, 'completed_at'>,
): Promise<string | null> {
  return document.is_migrated ? originalFileKey(db, document) : document.sealed_file;
}

/** Where the file that was attached or imported is in the file store. Null for a document without one. */
export async function originalFileKey(
  db: Queryable,
  { account_id, id }: Pick<Document, 'account_id' | 'id'>,
): Promise<string | null> {
  const file = await readDocumentFile(db, account_id, id);
  return file && fileKey(file.sha256.toString('hex'));
}

/**
 * Where the PDF to download is in the file store: the sealed one of a completed document, before that the original file.
 * `isSealing`: the document is completed, and its sealed PDF is being made.
 */
export async function pdfKey(db: Queryable, document: WithFiles): Promise<{ key: string | null; isSealing: boolean }> {
  if (document.completed_at === null) return { key: await originalFileKey(db, document), isSealing: false };
  const key = await completedFileKey(db, document);
  return { key, isSealing: key === null };
}
