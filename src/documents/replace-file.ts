import type { Actor } from '../actor.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { Attachment } from './attachment.ts';
import { appendAudit } from './audit.ts';
import type { Document } from './document.ts';
import { type DocumentPart, deleteParts, insertParts, partsDetail } from './document-part.ts';
import type { Field } from './field.ts';
import type { NewFile } from './new-file.ts';
import { changeReferences } from './stored-files.ts';

export interface Replacement {
  /** The file of the document, and all fields on it. */
  earlier: Attachment;
  file: NewFile;
  /** What the new file was joined from. Empty for a single file. */
  parts: readonly DocumentPart[];
  /** The earlier fields that stay, as they are to be. */
  fields: readonly Field[];
}

/**
 * Replaces the file of a document with its parts, and updates or deletes the fields. The caller holds the document's lock, and has
 * checked that the document can be changed.
 */
export async function replaceFile(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  { earlier, file, parts, fields }: Replacement,
): Promise<void> {
  const released = [earlier.file.sha256, ...(await deleteParts(tx, document))];
  await changeReferences(world, tx, [file, ...parts], released);
  const removed = earlier.fields.length - fields.length;
  const now = world.clock.now().toISOString();
  document.updated_at = now;
  await updateFile(tx, document, file, now);
  await insertParts(tx, document, parts);
  if (removed > 0 || fields.some((field, index) => field.page !== earlier.fields[index]?.page)) {
    await updateFields(tx, document, fields);
  }
  const { name, sha256, bytes, pages } = file;
  const what = { name, sha256: sha256.toString('hex'), bytes, pages: pages.length, ...partsDetail(parts) };
  const detail = removed === 0 ? what : { ...what, fields_removed: removed };
  await appendAudit(tx, document, [{ at: now, actor, action: 'attached', detail }]);
}

async function updateFile(tx: Tx, document: Document, file: NewFile, now: string): Promise<void> {
  await tx.query({
    name: 'change_document_file',
    text: `with touched as (update documents set updated_at = $8 where account_id = $2 and id = $1)
           update document_files set sha256 = $3, name = $4, page_count = $5, pages = $6, is_signed = $7, attached_at = $8
           where account_id = $2 and document_id = $1`,
    values: [
      document.id,
      document.account_id,
      file.sha256,
      file.name,
      file.pages.length,
      JSON.stringify(file.pages.map(({ width, height }) => [width, height])),
      file.isSigned,
      now,
    ],
  });
}

/** Added to all positions while they change, so that no two fields have the same one. Above any real position. */
const positionOffset = 1000;

/** Deletes the fields that are not in the list. The others get the page, position, condition and formula that they have in it. */
async function updateFields(tx: Tx, document: Document, fields: readonly Field[]): Promise<void> {
  const ids = fields.map(({ id }) => id);
  await tx.query({
    name: 'remove_fields_of_parts',
    text: 'delete from document_fields where account_id = $1 and document_id = $2 and not id = any ($3::uuid[])',
    values: [document.account_id, document.id, ids],
  });
  await tx.query({
    name: 'offset_fields',
    text: `update document_fields set position = position + ${positionOffset}
           where account_id = $1 and document_id = $2`,
    values: [document.account_id, document.id],
  });
  await tx.query({
    name: 'move_fields',
    text: `update document_fields f
           set page = m.page, position = m.position, condition_position = m.condition_position,
             condition_value = m.condition_value, formula = m.formula
           from unnest($3::uuid[], $4::int[], $5::smallint[], $6::smallint[], $7::text[], $8::text[])
             as m (id, page, position, condition_position, condition_value, formula)
           where f.account_id = $1 and f.document_id = $2 and f.id = m.id`,
    values: [
      document.account_id,
      document.id,
      ids,
      fields.map(({ page }) => page),
      fields.map(({ position }) => position),
      fields.map(({ condition_position }) => condition_position),
      fields.map(({ condition_value }) => condition_value),
      fields.map(({ formula }) => formula),
    ],
  });
}
