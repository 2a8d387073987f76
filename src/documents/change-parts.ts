import type { Actor } from '../actor.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { assertUnsent } from './attach-file.ts';
import { readAttachment } from './attachment.ts';
import type { Document } from './document.ts';
import { type DocumentPart, readParts } from './document-part.ts';
import { movedFields } from './moved-fields.ts';
import type { NewFile } from './new-file.ts';
import { replaceFile } from './replace-file.ts';

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
  const fields = movedFields(attachment.fields, before, places);
  await replaceFile(world, tx, document, actor, { earlier: attachment, file, parts: rows, fields });
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
