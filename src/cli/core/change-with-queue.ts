import type { Command } from 'commander';
import type { Document } from '../../documents/document.ts';
import { findDocument } from '../../documents/queries.ts';
import type { JobQueue } from '../../messages/job-queue.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { findActiveCompany } from '../account/find-company.ts';
import { operatorView, showDocument } from '../document/document-view.ts';
import { lockById } from '../document/lock-document.ts';
import { byId } from './by-id.ts';
import { withDatabase } from './session.ts';
import { answer } from './terminal.ts';

type Change = (world: World, tx: Tx, queue: JobQueue, document: Document) => Promise<void>;

/**
 * Changes the locked document in one transaction that may enqueue messages, and prints the result. Refuses when the company
 * was removed, because no message leaves in its name, unless the change is one that sends none then (`mayBeRemoved`).
 */
export async function changeWithQueue(
  command: Command,
  id: string,
  apply: Change,
  { mayBeRemoved }: { mayBeRemoved: boolean } = { mayBeRemoved: false },
): Promise<void> {
  const shown = await withDatabase(async ({ world, db, databaseUrl }) => {
    const { account_id } = await byId('document', id, () => findDocument(db, id));
    if (!mayBeRemoved) await findActiveCompany(db, account_id);
    // Loaded on demand: most commands enqueue no job.
    const { startQueue } = await import('../../jobs/job-queue.ts');
    const queue = await startQueue(databaseUrl, world.log, false);
    try {
      return await db.transaction(async (tx) => {
        const found = await lockById(tx, id);
        await apply(world, tx, queue, found);
        return operatorView(tx, (await findDocument(tx, id)) ?? found);
      });
    } finally {
      await queue.stop();
    }
  });
  answer(command, shown, showDocument);
}
