import { hasCompletedFile } from '../documents/completed-file.ts';
import { sha256OfFileKey } from '../documents/stored-files.ts';
import type { PageSize } from '../pdf/pdfium/inspect-pdf.ts';
import type { FilePages } from './file-pages.ts';
import type { SigningSession } from './signing-session.ts';

/** Returns the SHA-256 (hex) and the pages of the sealed PDF, or null while there is none that the session may show. */
export async function findSealedPages(
  { document, isLocked, state }: SigningSession,
  pages: Pick<FilePages, 'sizesSoon'>,
): Promise<{ sha256: string; pages: PageSize[] } | null> {
  if (isLocked || state.kind !== 'completed') return null;
  if (!hasCompletedFile(document) || document.sealed_file === null) return null;
  const sha256 = sha256OfFileKey(document.sealed_file);
  const sizes = await pages.sizesSoon({ sha256, accountId: document.account_id });
  return sizes && { sha256, pages: sizes };
}
