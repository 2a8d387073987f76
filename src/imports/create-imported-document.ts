import { recordAttachment } from '../documents/attach-file.ts';
import { createDocument } from '../documents/create-document.ts';
import type { Document } from '../documents/document.ts';
import { lockDocument } from '../documents/queries.ts';
import { retainFile } from '../documents/stored-files.ts';
import type { PdfInspection } from '../pdf/pdfium/inspect-pdf.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { type Import, starterOf } from './import.ts';
import { attachedNameOf, titleOf } from './title-of.ts';

/** A checked PDF whose bytes are in the file store. */
export interface ArrivedFile {
  name: string | null;
  sha256: Buffer;
  bytes: number;
  pdf: Extract<PdfInspection, { ok: true }>;
}

/**
 * Creates a draft of type `other` for an imported file, titled by its name, with the file attached and no recipients.
 * Returns the document's id.
 */
export async function createImportedDocument(
  world: World,
  tx: Tx,
  row: Import,
  { name, sha256, bytes, pdf }: ArrivedFile,
): Promise<string> {
  const { account_id: accountId } = row;
  const actor = starterOf(row);
  // Test keys can't import.
  const creator = { accountId, actor, mode: 'live' } as const;
  const { id } = await createDocument(world, tx, creator, { title: titleOf(name), type: 'other', recipients: [] });
  const draft = (await lockDocument(tx, accountId, id, 'all')) as Document;
  await retainFile(tx, { sha256, bytes });
  const { pages, isSigned } = pdf;
  const file = { sha256, bytes, name: attachedNameOf(name), pages, isSigned };
  await recordAttachment(world, tx, draft, actor, file);
  return id;
}
