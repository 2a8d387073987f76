import type { Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import { detachFile } from './attach-file.ts';
import { copyDocument } from './copy-document.ts';
import { createDocument } from './create-document.ts';
import type { EditDocumentBody } from './create-document-body.ts';
import type { Document } from './document.ts';
import { makeTemplate } from './document-actions.ts';
import { editDocument } from './edit-document.ts';
import { lockDocument } from './queries.ts';
import { voidDocument } from './void-document.ts';

/**
 * Templates: drafts that are never sent, from which others are made. Each verb takes the caller's transaction, and what it
 * is about locked.
 */

/** From nothing. Its parties may be roles, which nobody can be reached by. Throws the codes of POST /documents. */
export async function createTemplate(
  world: World,
  tx: Tx,
  accountId: string,
  actor: string,
  body: EditDocumentBody,
): Promise<Document> {
  const { title, type = 'form' } = body;
  const { id } = await createDocument(world, tx, { accountId, actor, mode: 'live' }, { title, type, recipients: [] });
  const template = (await lockDocument(tx, accountId, id, 'all')) as Document;
  await makeTemplate(world, tx, template, actor);
  await editDocument(world, tx, template, actor, body);
  return template;
}

/** With its file, its parties and their fields. The document stays as it is. */
export async function saveAsTemplate(world: World, tx: Tx, document: Document, actor: string): Promise<Document> {
  const { copy } = await copyDocument(world, tx, document, actor);
  await makeTemplate(world, tx, copy, actor);
  return copy;
}

/**
 * A draft like the template, with the words and parties of `body`: a party that takes the place of one of the template's
 * has its id, and its fields. Throws the codes of POST /documents.
 */
export async function draftFromTemplate(
  world: World,
  tx: Tx,
  template: Document,
  actor: string,
  body: EditDocumentBody,
): Promise<Document> {
  const { copy, recipientIds } = await copyDocument(world, tx, template, actor);
  const recipients = body.recipients.map(({ id, ...rest }) =>
    id === undefined ? rest : { ...rest, id: recipientIds.get(id) ?? id },
  );
  await editDocument(world, tx, copy, actor, { ...body, recipients });
  return copy;
}

/** Its trail stays, its file does not. Drafts that were made from it lose nothing. */
export async function deleteTemplate(world: World, tx: Tx, template: Document, actor: string): Promise<void> {
  await voidDocument(world, tx, template, actor, 'The template was deleted');
  await detachFile(world, tx, template);
}
