import type { Actor } from '../actor.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { readAttachment, readDocumentFile } from './attachment.ts';
import { appendAudit } from './audit.ts';
import { assertNotScheduled, type Document, isUnsent } from './document.ts';
import { type DocumentPart, deleteParts, insertParts, partsDetail } from './document-part.ts';
import { fieldsThatFit } from './moved-fields.ts';
import type { NewFile } from './new-file.ts';
import { replaceFile } from './replace-file.ts';
import { changeReferences, releaseFiles } from './stored-files.ts';

export const fileBytesMax = 150 * 2 ** 20;
export const fileNameLengthMax = 255;

/**
 * Attaches a PDF to an unsent document. It can replace an earlier one: fields stay where they are if their page exists in the new
 * file and they fit on it, and the others are removed. Without `keepsFields` all are removed. The caller holds the document's
 * lock. Throws a `Refusal` if the document was sent, and a `FileStoreError` if the file is not in the store.
 */
export async function attachFile(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  file: NewFile,
  { keepsFields = true }: { keepsFields?: boolean } = {},
): Promise<{ fieldsKept: number; fieldsRemoved: number }> {
  assertUnsent(document);
  const earlier = await readAttachment(tx, document.account_id, document.id);
  if (earlier === null) {
    await changeReferences(world, tx, [file], []);
    document.updated_at = await recordAttachment(world, tx, document, actor, file);
    return { fieldsKept: 0, fieldsRemoved: 0 };
  }
  const fields = keepsFields ? fieldsThatFit(earlier.fields, file.pages) : [];
  await replaceFile(world, tx, document, actor, { earlier, file, parts: [], fields });
  return { fieldsKept: fields.length, fieldsRemoved: earlier.fields.length - fields.length };
}

/**
 * Inserts the row of an attached file, those of its parts, and its audit entry. The files are retained already, and the document
 * has no other file. The caller holds the document's lock, or has just created it. Returns the document's new `updated_at`.
 */
export async function recordAttachment(
  world: World,
  tx: Tx,
  document: Pick<Document, 'id' | 'account_id' | 'audit_seq' | 'audit_hash' | 'shows_devices'>,
  actor: Actor,
  { sha256, bytes, name, pages, isSigned }: NewFile,
  parts: readonly DocumentPart[] = [],
): Promise<Timestamp> {
  const now = world.clock.now().toISOString();
  const detail = { name, sha256: sha256.toString('hex'), bytes, pages: pages.length, ...partsDetail(parts) };
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
    insertParts(tx, document, parts),
    appendAudit(tx, document, [{ at: now, actor, action: 'attached', detail }]),
  ]);
  return now;
}

/** Throws a `Refusal` if the document can't be changed: it was sent, or is scheduled to be sent as it is. */
export function assertUnsent({ status, send_at }: Document): void {
  if (!isUnsent(status)) throw new Refusal(`only an unsent document can be changed, this one is ${status}`);
  assertNotScheduled({ send_at });
}

/** Removes the file of a document and the fields on it, if there is one. The caller holds the document's lock. */
export async function detachFile(world: World, tx: Tx, document: Document): Promise<void> {
  const file = await readDocumentFile(tx, document.account_id, document.id);
  if (file === null) return;
  await releaseFiles(tx, world, [file.sha256, ...(await detach(tx, document))]);
}

/** Deletes the rows of a file, its parts and its fields. Returns the hashes of the parts, which the caller releases. */
async function detach(tx: Tx, document: Document): Promise<Buffer[]> {
  const parts = await deleteParts(tx, document);
  for (const table of ['document_fields', 'document_files']) {
    await tx.query({
      name: `detach_${table}`,
      text: `delete from ${table} where account_id = $1 and document_id = $2`,
      values: [document.account_id, document.id],
    });
  }
  return parts;
}
