import type { Actor } from '../actor.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { assertUnsent, type NewFile } from './attach-file.ts';
import { readAttachment } from './attachment.ts';
import { appendAudit } from './audit.ts';
import type { Document } from './document.ts';
import { type DocumentPart, deleteParts, insertParts, partsDetail, readParts } from './document-part.ts';
import type { Field } from './field.ts';
import { movedFields } from './moved-fields.ts';
import { changeReferences } from './stored-files.ts';

/** The parts of a document as they are to be, joined and stored already. */
export interface ChangedParts {
  /** The file that they were joined into. With one part, it is that one. */
  file: NewFile;
  parts: readonly DocumentPart[];
  /** What they were made from: the parts as they were read before, and for each its place now. A part that is missing is removed. */
  before: readonly DocumentPart[];
  places: ReadonlyMap<DocumentPart, DocumentPart>;
}

/** Throws when the files of a document are not those that the change was made from. */
export class PartsChangedError extends Error {}

/**
 * Replaces the file of an unsent document by one that was joined from other parts, or from the same ones in another order. Fields
 * move with their pages, and those on the pages of removed parts are deleted. The caller holds the document's lock. Throws a
 * `Refusal` if the document was sent, and a `PartsChangedError` if its files changed since they were read.
 */
export async function changeParts(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  { file, parts, before, places }: ChangedParts,
): Promise<void> {
  assertUnsent(document);
  const attachment = await readAttachment(tx, document.account_id, document.id);
  const present = await readParts(tx, document.account_id, document.id);
  if (attachment === null || !isSame(partsOrFile(present, attachment.file), before)) throw new PartsChangedError();
  const rows = parts.length === 1 ? [] : parts;
  const released = [attachment.file.sha256, ...(await deleteParts(tx, document))];
  await changeReferences(world, tx, [file, ...rows], released);
  const fields = movedFields(attachment.fields, before, places);
  const removed = attachment.fields.length - fields.length;
  const now = world.clock.now().toISOString();
  document.updated_at = now;
  await updateFile(tx, document, file, now);
  await insertParts(tx, document, rows);
  if (removed > 0 || fields.some((field, index) => field.page !== attachment.fields[index]?.page)) {
    await updateFields(tx, document, fields);
  }
  const { name, sha256, bytes, pages } = file;
  const what = { name, sha256: sha256.toString('hex'), bytes, pages: pages.length, ...partsDetail(rows) };
  const detail = removed === 0 ? what : { ...what, fields_removed: removed };
  await appendAudit(tx, document, [{ at: now, actor, action: 'attached', detail }]);
}

/** Returns the files of a document in their order: its parts, or the one file that it has. */
export function partsOrFile(
  parts: readonly DocumentPart[],
  { sha256, bytes, name, page_count }: Pick<DocumentPart, 'sha256' | 'bytes' | 'name' | 'page_count'>,
): readonly DocumentPart[] {
  return parts.length > 0 ? parts : [{ position: 1, first_page: 1, sha256, bytes, name, page_count }];
}

function isSame(present: readonly DocumentPart[], read: readonly DocumentPart[]): boolean {
  return (
    present.length === read.length &&
    present.every(({ sha256, name }, index) => read[index]?.sha256.equals(sha256) && read[index]?.name === name)
  );
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
