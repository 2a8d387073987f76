import type { Document } from '../../src/documents/document.ts';
import { findDocument, lockDocument } from '../../src/documents/queries.ts';
import type { JobQueue } from '../../src/messages/job-queue.ts';
import type { Tx } from '../../src/postgres/database.ts';
import type { TestService } from '../support/service.ts';

/** What the command line does to a document: locks it and acts, in one transaction. */
export async function operate(
  app: TestService,
  id: string,
  act: (tx: Tx, document: Document, queue: JobQueue) => Promise<void>,
): Promise<void> {
  const queue = await app.queue();
  await app.db.transaction(async (tx) => {
    const found = await findDocument(tx, id);
    const document = found === null ? null : await lockDocument(tx, found.account_id, id, 'all');
    if (document === null) throw new Error(`no document ${id}`);
    await act(tx, document, queue);
  });
}
