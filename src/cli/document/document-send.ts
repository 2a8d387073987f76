import type { Command } from 'commander';
import type { PersonBody } from '../../documents/create-document-body.ts';
import type { Document } from '../../documents/document.ts';
import { reassignRecipient } from '../../documents/reassign-recipient.ts';
import { remindDocument } from '../../documents/remind-document.ts';
import { isScheduleTime, scheduleSend } from '../../documents/schedule-send.ts';
import { sendDocument } from '../../documents/send-document.ts';
import { Refusal } from '../../errors.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { instantOf } from '../core/arguments.ts';
import { changeWithQueue } from '../core/change-with-queue.ts';
import { refusingAnswers } from '../core/refusing-answers.ts';
import { actor } from '../core/session.ts';

/** The commands that send requests to recipients: `send`, `remind` and `reassign`. */

const sendExamples = `
A scheduled document is sent in the name of the operator. Sending it without --at ends its schedule.

Examples:
  countersign document send $DRAFT
  countersign document send $DRAFT --at $(date -ud 'tomorrow 9:00' +%FT%TZ)
  countersign document cancel-schedule $DRAFT`;

export function defineSend(document: Command): void {
  document
    .command('send <id>')
    .description('send a draft or a document in review; recipients whose turn it is get a request')
    .option(
      '--at <time>',
      'send it then, a minute to a year ahead, such as 2030-01-31T12:00:00Z; replaces an earlier time',
      instantOf('--at'),
    )
    .addHelpText('after', sendExamples)
    .action(async (id: string, { at }: { at?: Timestamp }, command: Command) => {
      await changeWithQueue(command, id, async (world, tx, queue, found) => {
        if (found.is_template) throw new Refusal('a template is not sent: make a draft of it with template use');
        if (at !== undefined) return schedule(world, tx, found, new Date(at));
        const sender = { accountId: found.account_id, actor, sees: 'all', mode: 'live' } as const;
        const sent = await refusingAnswers(() => sendDocument(world, tx, queue, sender, found.id));
        Object.assign(found, sent);
      });
    });
}

async function schedule(world: World, tx: Tx, found: Document, at: Date): Promise<void> {
  if (!isScheduleTime(at, world.clock.now())) {
    throw new Refusal('the time to send must be at least a minute and at most a year ahead');
  }
  await refusingAnswers(() => scheduleSend(world, tx, found, actor, { at, language: 'en' }));
}

export function defineRemind(document: Command): void {
  document
    .command('remind <id>')
    .description('remind each recipient whose turn it is; at most once every 24 hours')
    .option('--recipient <recipient-id>', 'only this recipient')
    .action(async (id: string, { recipient }: { recipient?: string }, command: Command) => {
      await changeWithQueue(command, id, (world, tx, queue, found) =>
        remindDocument(world, tx, queue, found, actor, recipient ?? null),
      );
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
