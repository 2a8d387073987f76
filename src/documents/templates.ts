import type { Actor } from '../actor.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { detachFile } from './attach-file.ts';
import { type CopyOrigin, copyDocument } from './copy-document.ts';
import { createDocument } from './create-document.ts';
import type { EditDocumentBody } from './create-document-body.ts';
import type { Document } from './document.ts';
import { makeTemplate } from './document-actions.ts';
import { editDocument } from './edit-document.ts';
import { lockDocument } from './queries.ts';
import { titleLengthMax } from './text-lengths.ts';
import { voidTemplate } from './void-document.ts';

/**
 * Templates are drafts that are never sent. Other drafts are made from them. All functions here run in the caller's
 * transaction, and the caller holds the lock of the template or document.
 */

/** Creates an empty template. Its recipients may be roles without contact details. Throws the codes of POST /documents. */
export async function createTemplate(
  world: World,
  tx: Tx,
  accountId: string,
  actor: Actor,
  body: EditDocumentBody,
): Promise<Document> {
  const { title, type = 'form' } = body;
  const { id } = await createDocument(world, tx, { accountId, actor, mode: 'live' }, { title, type, recipients: [] });
  const template = (await lockDocument(tx, accountId, id, 'all')) as Document;
  await makeTemplate(world, tx, template, actor);
  await editDocument(world, tx, template, actor, body);
  return template;
}

/** Copies a document with its file, recipients and fields to a new template. The document does not change. */
export async function saveAsTemplate(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  title: string | null = null,
): Promise<Document> {
  const { copy } = await copyDocument(world, tx, document, actor, null, title);
  await makeTemplate(world, tx, copy, actor);
  return copy;
}

const endings: Record<Language, string> = { en: ' (copy)', es: ' (copia)' };

/** Returns the title of a template's copy. A title that would be too long is cut before its ending. */
export function titleOfCopy(title: string, language: Language): string {
  const ending = endings[language];
  const kept = [...title].slice(0, titleLengthMax - ending.length).join('');
  return kept.trimEnd() + ending;
}

/**
 * Creates a draft from a template, with the details and recipients of `body`. A recipient with the id of a recipient of the
 * template gets that one's fields. Throws the codes of POST /documents.
 */
export async function draftFromTemplate(
  world: World,
  tx: Tx,
  template: Document,
  actor: Actor,
  body: EditDocumentBody,
  origin: CopyOrigin | null = null,
): Promise<Document> {
  const { copy, recipientIds } = await copyDocument(world, tx, template, actor, origin);
  const recipients = body.recipients.map(({ id, ...rest }) =>
    id === undefined ? rest : { ...rest, id: recipientIds.get(id) ?? id },
  );
  await editDocument(world, tx, copy, actor, { ...body, recipients });
  return copy;
}

/** Voids a template and removes its file. Its audit trail stays. Drafts made from it do not change. */
export async function deleteTemplate(world: World, tx: Tx, template: Document, actor: Actor): Promise<void> {
  await voidTemplate(world, tx, template, actor, 'The template was deleted');
  await detachFile(world, tx, template);
}
