import type { Command } from 'commander';
import { sendDocument } from '../../documents/send-document.ts';
import { Refusal } from '../../errors.ts';
import { changeWithQueue } from '../core/change-with-queue.ts';
import { refusingAnswers } from '../core/refusing-answers.ts';
import { actor } from '../core/session.ts';

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
