import type { Command } from 'commander';
import { findDocument } from '../documents/queries.ts';
import { remindDocument } from '../documents/remind-document.ts';
import { byId } from './by-id.ts';
import { operatorView, showDocument } from './document-view.ts';
import { lockById } from './lock-document.ts';
import { actor, withDatabase } from './session.ts';
import { answer } from './terminal.ts';

export function defineRemind(document: Command): void {
  document
    .command('remind <id>')
    .description('remind everybody whose turn it is, now; by hand nobody is reminded twice within 24 hours')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(async ({ world, db, databaseUrl }) => {
        await byId('document', id, () => findDocument(db, id));
        // Loaded only here: no other command puts a job into the queue.
        const { startQueue } = await import('../jobs/job-queue.ts');
        const queue = await startQueue(databaseUrl, world.log, false);
        try {
          return await db.transaction(async (tx) => {
            const found = await lockById(tx, id);
            await remindDocument(world, tx, queue, found, actor);
            return operatorView(tx, found);
          });
        } finally {
          await queue.stop();
        }
      });
      answer(command, shown, showDocument);
    });
}
