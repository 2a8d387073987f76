import { Refusal } from '../errors.ts';
import type { Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { PageSize } from '../world/pdf/pdfium/inspect-pdf.ts';
import type { World } from '../world/world.ts';
import { readAttachment, readDocumentFile } from './attachment.ts';
import { appendAudit } from './audit.ts';
import { type Document, isUnsent } from './document.ts';
import { type FileContent, releaseFile, retainFile } from './stored-files.ts';

/** A PDF that passed inspection and is in the store. */
export interface NewFile extends FileContent {
  /** As people know it, such as `Lease.pdf`. */
  name: string;
  pages: readonly PageSize[];
  isSigned: boolean;
}

export const fileBytesMax = 150 * 2 ** 20;
export const fileNameLengthMax = 255;

/**
 * Gives a document its PDF, in place of an earlier one, whose fields go with it. Takes the locked document. Throws a
 * `Refusal` for one that was sent, and a `FileStoreError` for a file that is not stored (any more).
 */
export async function attachFile(
  world: World,
  tx: Tx,
  document: Document,
  actor: string,
  file: NewFile,
): Promise<{ fieldsDropped: number }> {
  assertUnsent(document);
  const earlier = await readAttachment(tx, document.account_id, document.id);
  if (earlier !== null) await detach(tx, document);
  await swapReferences(world, tx, earlier?.file.sha256 ?? null, file);
  document.updated_at = await recordAttachment(world, tx, document, actor, file);
  return { fieldsDropped: earlier?.fields.length ?? 0 };
}

/**
 * The row of a kept file and its audit entry, for a document that has none. Takes the locked or new document. Returns
 * when it was attached, which is when the document was last changed.
 */
export async function recordAttachment(
  world: World,
  tx: Tx,
  document: Pick<Document, 'id' | 'account_id' | 'audit_seq' | 'audit_hash'>,
  actor: string,
  { sha256, bytes, name, pages, isSigned }: NewFile,
): Promise<Timestamp> {
  const now = world.clock.now().toISOString();
  const detail = { name, sha256: sha256.toString('hex'), bytes, pages: pages.length };
  await Promise.all([
    tx.query({
      name: 'insert_document_file',
      text: `with touched as (update documents set updated_at = $8 where account_id = $2 and id = $1)
             insert into document_files (document_id, account_id, sha256, name, page_count, pages, is_signed, attached_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [
        document.id,
        document.account_id,
        sha256,
        name,
        pages.length,
        JSON.stringify(pages.map(({ width, height }) => [width, height])),
        isSigned,
        now,
      ],
    }),
    appendAudit(tx, document, [{ at: now, actor, action: 'attached', detail }]),
  ]);
  return now;
}

export function assertUnsent({ status }: Document): void {
  if (isUnsent(status)) return;
  throw new Refusal(`only a document that was not sent yet can be changed, this one is ${status}`);
}

/** Takes the locked document. The fields on the file go with it. */
export async function detachFile(world: World, tx: Tx, document: Document): Promise<void> {
  const file = await readDocumentFile(tx, document.account_id, document.id);
  if (file === null) return;
  await detach(tx, document);
  await releaseFile(tx, world, file.sha256);
}

async function detach(tx: Tx, document: Document): Promise<void> {
  for (const table of ['document_fields', 'document_files']) {
    await tx.query({
      name: `detach_${table}`,
      text: `delete from ${table} where account_id = $1 and document_id = $2`,
      values: [document.account_id, document.id],
    });
  }
}

/** In the order of their hashes, so that of two who swap the same files neither waits for the other. */
async function swapReferences(world: World, tx: Tx, released: Buffer | null, kept: FileContent): Promise<void> {
  const keepsFirst = released === null || kept.sha256.compare(released) < 0;
  if (keepsFirst) await retainFile(tx, kept);
  if (released !== null) await releaseFile(tx, world, released);
  if (!keepsFirst) await retainFile(tx, kept);
}
