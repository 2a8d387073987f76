import { join } from 'node:path';
import type { Command } from 'commander';
import { listMailbox, type MailboxMessage } from '../world/mailbox.ts';
import { positiveInteger } from './arguments.ts';
import { readSettings } from './session.ts';
import { answer, lines, oneLine } from './terminal.ts';

interface ListOptions {
  to?: string;
  limit?: number;
}

export function define(mailbox: Command): void {
  mailbox
    .command('list')
    .description('messages the local mailbox holds, newest first')
    .option('--to <address>', 'only those to this e-mail address or phone number')
    .option('--limit <n>', 'at most so many', positiveInteger('--limit'))
    .action(async (filter: ListOptions, command: Command) => {
      const { dataDir } = readSettings();
      const messages = await listMailbox(join(dataDir, 'mailbox'), filter);
      answer(command, messages.map(messageJson), (shown) => shown.map(showMessage).join('\n') || 'no messages\n');
    });
}

function messageJson({ id, channel, to, subject, text, html, links, created_at }: MailboxMessage) {
  return { id, channel, to, subject, text, html, links, created_at };
}

function showMessage({ id, channel, to, subject, text, created_at }: ReturnType<typeof messageJson>): string {
  const heading = `${created_at}  ${channel} to ${oneLine(to)}${subject === null ? '' : `: ${oneLine(subject)}`}`;
  return `${heading}\n${lines(text.trim(), '  ')}\n  (${id})\n`;
}
