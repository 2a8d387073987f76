import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { listMailbox, type MailboxMessage } from '../../platform/mailbox.ts';
import { positiveInteger } from '../core/arguments.ts';
import { readSettings } from '../core/session.ts';
import { answer, lines, oneLine } from '../core/terminal.ts';

interface ListOptions {
  to?: string;
  limit?: number;
}

export function define(mailbox: Command): void {
  mailbox
    .command('list')
    .description('list the messages in the local mailbox, newest first')
    .option('--to <address>', 'only messages to this e-mail address or phone number')
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'))
    .action(async (filter: ListOptions, command: Command) => {
      const dir = join(readSettings().dataDir, 'mailbox');
      await assertReadable(dir);
      const messages = await listMailbox(dir, filter);
      answer(command, messages.map(messageJson), (shown) => shown.map(showMessage).join('\n') || 'no messages\n');
    });
}

/** Checks the permissions: to another system user the mailbox would look empty. */
async function assertReadable(dir: string): Promise<void> {
  await access(dir, constants.R_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function messageJson({ id, channel, to, subject, text, html, links, created_at }: MailboxMessage) {
  return { id, channel, to, subject, text, html, links, created_at };
}

function showMessage({ id, channel, to, subject, text, created_at }: ReturnType<typeof messageJson>): string {
  const heading = `${created_at}  ${channel} to ${oneLine(to)}${subject === null ? '' : `: ${oneLine(subject)}`}`;
  return `${heading}\n${lines(text.trim(), '  ')}\n  (${id})\n`;
}
