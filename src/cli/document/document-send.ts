import type { Command } from 'commander';
import type { PersonBody } from '../../documents/create-document-body.ts';
import { reassignRecipient } from '../../documents/reassign-recipient.ts';
import { remindDocument } from '../../documents/remind-document.ts';
import { sendDocument } from '../../documents/send-document.ts';
import { Refusal } from '../../errors.ts';
import { changeWithQueue } from '../core/change-with-queue.ts';
import { refusingAnswers } from '../core/refusing-answers.ts';
import { actor } from '../core/session.ts';

/** The commands that send requests to recipients: `send`, `remind` and `reassign`. */

export function defineSend(document: Command): void {
  document
    .command('send <id>')
    .description('send a draft or a document in review; recipients whose turn it is get a request')
    .action(async (id: string, _options, command: Command) => {
      await changeWithQueue(command, id, async (world, tx, queue, found) => {
        if (found.is_template) throw new Refusal('a template is not sent: make a draft of it with template use');
        const sender = { accountId: found.account_id, actor, sees: 'all', mode: 'live' } as const;
        const sent = await refusingAnswers(() => sendDocument(world, tx, queue, sender, found.id));
        Object.assign(found, sent);
      });
    });
}

export function defineRemind(document: Command): void {
  document
    .command('remind <id>')
    .description('remind each recipient whose turn it is; at most once every 24 hours')
    .action(async (id: string, _options, command: Command) => {
      await changeWithQueue(command, id, (world, tx, queue, found) => remindDocument(world, tx, queue, found, actor));
    });
}

export function defineReassign(document: Command): void {
  document
    .command('reassign <id>')
    .description('replace a recipient who has not signed or declined; the new one gets the request')
    .requiredOption('--recipient <recipient-id>', 'the recipient to replace')
    .requiredOption('--name <name>', 'the name of the new recipient')
    .option('--email <address>', 'their e-mail address')
    .option('--phone <number>', 'their phone number')
    .action(async (id: string, { recipient, ...person }: PersonBody & { recipient: string }, command: Command) => {
      await changeWithQueue(command, id, (world, tx, queue, found) =>
        reassignRecipient(world, tx, queue, found, recipient, person, actor),
      );
    });
}
