import type { Queryable } from '../postgres/database.ts';
import { readDocumentFile } from './attachment.ts';
import type { Document } from './document.ts';
import { fileKey } from './stored-files.ts';

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
  document: Pick<Document, 'id' | 'account_id' | 'is_migrated' | 'sealed_file'>,
): Promise<string | null> {
  if (!document.is_migrated) return document.sealed_file;
  const file = await readDocumentFile(db, document.account_id, document.id);
  return file && fileKey(file.sha256.toString('hex'));
}
