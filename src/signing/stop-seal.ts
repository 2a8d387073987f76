import type { Actor } from '../actor.ts';
import { appendAudit } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { lockDocument } from '../documents/queries.ts';
import { Refusal } from '../errors.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';

/**
 * Records that a document isn't sealed because a page (from 1) of its file would look different in the sealed PDF. The
 * seal isn't tried again until an operator retries it.
 */
export async function stopSeal(world: World, db: Database, { account_id, id }: Document, page: number): Promise<void> {
  world.log.error('seal stopped: a page of the attached file would look different', { document_id: id, page });
  await db.transaction(async (tx) => {
    const document = await lockDocument(tx, account_id, id, 'all');
    if (document === null || document.sealed_at !== null || document.seal_changed_page !== null) return;
    await setStopped(tx, document, page, document.seal_embeds_file);
    const at = world.clock.now().toISOString();
    await appendAudit(tx, document, [{ at, actor: 'service', action: 'seal_stopped', detail: { page } }]);
  });
}

/**
 * Retries a stopped seal. With `embedsFile` the file goes into the sealed PDF unchanged, as an attachment, and
 * nothing is drawn on its pages. Takes the locked document. Throws a `Refusal` when its seal was not stopped.
 */
export async function retrySeal(
  world: World,
  tx: Tx,
  queue: JobQueue,
  document: Document,
  { actor, embedsFile }: { actor: Actor; embedsFile: boolean },
): Promise<void> {
  if (document.sealed_at !== null) throw new Refusal('the document is sealed');
  if (document.seal_changed_page === null) throw new Refusal('the seal of the document was not stopped');
  await setStopped(tx, document, null, embedsFile);
  const at = world.clock.now().toISOString();
  await appendAudit(tx, document, [{ at, actor, action: 'seal_retried', detail: { embeds_file: embedsFile } }]);
  await queue.enqueue(tx, [{ name: 'seal-document', accountId: document.account_id, documentId: document.id }]);
}

async function setStopped(tx: Tx, { account_id, id }: Document, page: number | null, embedsFile: boolean) {
  await tx.query({
    name: 'set_seal_stopped',
    text: 'update documents set seal_changed_page = $3, seal_embeds_file = $4 where account_id = $1 and id = $2',
    values: [account_id, id, page, embedsFile],
  });
}
