import type { Actor } from '../../actor.ts';
import { attachFile } from '../../documents/attach-file.ts';
import { readDocumentFile } from '../../documents/attachment.ts';
import { createDocument } from '../../documents/create-document.ts';
import type { Document } from '../../documents/document.ts';
import { restrictDocument } from '../../documents/document-actions.ts';
import { readParts } from '../../documents/document-part.ts';
import { putInFolder } from '../../documents/move-documents.ts';
import type { NewFile } from '../../documents/new-file.ts';
import { lockDocument } from '../../documents/queries.ts';
import { lockFiles, retainFile } from '../../documents/stored-files.ts';
import type { World } from '../../platform/world.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import type { Unlocked } from './find-unlocked.ts';

/**
 * Replaces a document's file by the PDF made of its text. Deletes the fields of the old file. Keeps the text, and the file that
 * it was unlocked from. Takes the locked document and its locked text. Throws a `Refusal` for a document that was sent.
 */
export async function useAsFile(
  world: World,
  tx: Tx,
  document: Document,
  unlocked: Unlocked,
  actor: Actor,
): Promise<void> {
  const file = await renderedFile(tx, unlocked);
  const parts = await readParts(tx, document.account_id, document.id);
  const changed = [unlocked.source_sha256, unlocked.used_sha256, file.sha256, ...parts.map(({ sha256 }) => sha256)];
  await lockFiles(
    tx,
    changed.filter((sha256) => sha256 !== null),
  );
  if (unlocked.used_sha256 === null) await keepSource(tx, unlocked);
  // The lines of its pages are not where they were, so fields would be at wrong places.
  await attachFile(world, tx, document, actor, file, { keepsFields: false });
  await tx.query({
    name: 'use_rendering',
    text: 'update document_unlocks set used_sha256 = $2 where document_id = $1',
    values: [unlocked.document_id, file.sha256],
  });
}

/** Makes a draft without recipients from it. It is as restricted as its document, and in the same folder. Returns its id. */
export async function draftWithFile(
  world: World,
  tx: Tx,
  document: Document,
  unlocked: Unlocked,
  { actor, title }: { actor: Actor; title: string },
): Promise<string> {
  const { account_id: accountId, type, primary_language, restricted_kind, folder_id } = document;
  const creator = { accountId, actor, mode: 'live', expiresByDefault: true } as const;
  const { id } = await createDocument(world, tx, creator, { title, type, primary_language, recipients: [] });
  const draft = (await lockDocument(tx, accountId, id, 'all')) as Document;
  if (folder_id !== null) await putInFolder(tx, draft, folder_id);
  if (restricted_kind !== null) await restrictDocument(world, tx, draft, actor, restricted_kind);
  await attachFile(world, tx, draft, actor, await renderedFile(tx, unlocked));
  return id;
}

async function renderedFile(db: Queryable, unlocked: Unlocked): Promise<NewFile> {
  const { account_id, document_id, rendered_sha256: sha256, rendered_bytes: bytes, rendered_pages } = unlocked;
  if (sha256 === null || bytes === null || rendered_pages === null) throw new Error('no PDF was made of the text');
  const present = await readDocumentFile(db, account_id, document_id);
  const pages = rendered_pages.map(([width, height]) => ({ width, height }));
  return { sha256, bytes, name: present?.name ?? 'document.pdf', pages, isSigned: false };
}

async function keepSource(tx: Tx, { source_sha256: sha256 }: Unlocked): Promise<void> {
  const [source] = await tx.query<{ bytes: number }>({
    name: 'measure_source_of_text',
    text: 'select bytes from stored_files where sha256 = $1',
    values: [sha256],
  });
  await retainFile(tx, { sha256, bytes: source?.bytes ?? 0 });
}
