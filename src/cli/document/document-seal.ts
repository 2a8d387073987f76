import type { Command } from 'commander';
import { retrySeal } from '../../signing/stop-seal.ts';
import { changeWithQueue } from '../core/change-with-queue.ts';
import { actor } from '../core/session.ts';

export function defineSeal(document: Command): void {
  document
    .command('seal <id>')
    .description('seal a document whose sealing stopped because a page would look different')
    .option('--embed', 'keep the PDF unchanged as an attachment of the sealed PDF; nothing is drawn on its pages')
    .action(async (id: string, { embed = false }: { embed?: boolean }, command: Command) => {
      await changeWithQueue(command, id, (world, tx, queue, found) =>
        retrySeal(world, tx, queue, found, { actor, embedsFile: embed }),
      );
    });
}
