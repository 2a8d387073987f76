import type { Actor } from '../actor.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { copyDocument } from './copy-document.ts';
import { canBeCopied, type Document } from './document.ts';
import { mirrorDocument } from './document-actions.ts';

/**
 * Copies a document to a draft that can't be sent until the document is completed. The caller holds the document's lock.
 * Throws a `Refusal` if the document is a template, was completed at an e-signature vendor, or can't be completed any more.
 */
export async function makeMirror(world: World, tx: Tx, document: Document, actor: Actor): Promise<Document> {
  if (!canBeCopied(document)) {
    throw new Refusal("a template, or a document completed at an e-signature vendor, can't have a mirror");
  }
  const { copy } = await copyDocument(world, tx, document, actor);
  await mirrorDocument(world, tx, copy, actor, document);
  return copy;
}
