import type { Command } from 'commander';
import type { PersonBody } from '../../documents/create-document-body.ts';
import { reassignRecipient } from '../../documents/reassign-recipient.ts';
import { changeWithQueue } from '../core/change-with-queue.ts';
import { actor } from '../core/session.ts';

export function defineReassign(document: Command): void {
  document
    .command('reassign <id>')
    .description('replace a recipient who has not signed or declined; the new one gets the request')
    .requiredOption('--recipient <recipient-id>', 'whose place')
    .requiredOption('--name <name>', 'who holds it from now on')
    .option('--email <address>', 'their e-mail address')
    .option('--phone <number>', 'their phone number')
    .action(async (id: string, { recipient, ...person }: PersonBody & { recipient: string }, command: Command) => {
      await changeWithQueue(command, id, (world, tx, queue, found) =>
        reassignRecipient(world, tx, queue, found, recipient, person, actor),
      );
    });
}
