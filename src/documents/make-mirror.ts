import { Refusal } from '../errors.ts';
import type { Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import { copyDocument } from './copy-document.ts';
import { canBeMirrored, type Document } from './document.ts';
import { mirrorDocument } from './document-actions.ts';

/** A copy of the locked document, as a draft that cannot be sent until the document is completed. */
export async function makeMirror(world: World, tx: Tx, document: Document, actor: string): Promise<Document> {
  if (document.is_template) throw new Refusal('a template is never completed, so nothing can wait for it');
  if (!canBeMirrored(document)) {
    throw new Refusal(`a mirror could never be sent: the document is ${document.status}, and not completed any more`);
  }
  const { copy } = await copyDocument(world, tx, document, actor);
  await mirrorDocument(world, tx, copy, actor, document);
  return copy;
}
