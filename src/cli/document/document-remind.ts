import type { Command } from 'commander';
import { remindDocument } from '../../documents/remind-document.ts';
import { changeWithQueue } from '../core/change-with-queue.ts';
import { actor } from '../core/session.ts';

export function defineRemind(document: Command): void {
  document
    .command('remind <id>')
    .description('remind each recipient whose turn it is; at most once every 24 hours')
    .action(async (id: string, _options, command: Command) => {
      await changeWithQueue(command, id, (world, tx, queue, found) => remindDocument(world, tx, queue, found, actor));
    });
}
