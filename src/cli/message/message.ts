import type { Command } from 'commander';
import { OperatorError, Refusal } from '../../errors.ts';
import {
  type DeliveryReport,
  readDeliveryReport,
  reportBytesMax,
  UnreadableReport,
} from '../../messages/read-delivery-report.ts';
import { isUuid } from '../../platform/ids.ts';
import { parseSender } from '../../platform/mail.ts';
import { type MailReport, NotAcceptedYet, type RecordedReport, recordReport } from '../../signing/record-report.ts';
import { textOf } from '../core/arguments.ts';
import { TryAgainLater } from '../core/failure.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';

const lengthMax = 1000;

const readBounceHelp = `
For the alias of the address in MAIL_FROM, such as this line of /etc/aliases for Postfix:
  no-reply: "|/usr/local/bin/countersign-bounce"

Exit codes: 0 recorded, 1 not a report about a message of this service, 75 try again later.`;

/** Defines the commands that record what mail servers report after they have accepted a message. */
export function define(message: Command): void {
  message
    .command('bounced')
    .description('record that an e-mail came back; the sender of the document is told')
    .requiredOption(
      '--message-id <id>',
      'its Message-ID, or its id in the message log',
      textOf('--message-id', lengthMax),
    )
    .option('--reason <text>', 'the reply of the mail server', textOf('--reason', lengthMax))
    .action(async ({ messageId, reason }: { messageId: string; reason?: string }, command: Command) => {
      const recorded = await withDatabase((session) =>
        record(session, messageId, { outcome: 'bounced', reason: reason ?? null }),
      );
      answer(command, { ...recorded }, card);
    });
  message
    .command('read-bounce')
    .description('record what a delivery report on standard input says (RFC 3464)')
    .addHelpText('after', readBounceHelp)
    .action(async (_options, command: Command) => {
      const report = readReport(await readInput());
      const recorded = await orTryAgain(() => withDatabase((session) => record(session, report.messageId, report)));
      answer(command, { ...recorded }, card);
    });
}

async function record(session: Session, messageId: string, report: MailReport): Promise<RecordedReport> {
  const { config, world, db, databaseUrl } = session;
  const id = issuedId(messageId, config.mailFrom);
  // Loaded on demand: most commands enqueue no job.
  const { startQueue } = await import('../../jobs/job-queue.ts');
  const queue = await startQueue(databaseUrl, world.log, false);
  try {
    return await recordReport(world, db, queue, id, report);
  } finally {
    await queue.stop();
  }
}

/** Returns the id of a message from its Message-ID, which is `<id@domain of MAIL_FROM>`. */
function issuedId(messageId: string, mailFrom: string): string {
  const [, id = '', domain] = /^<?([^<>@\s]+)(?:@([^<>@\s]+))?>?$/.exec(messageId.trim()) ?? [];
  const own = parseSender(mailFrom).address.replace(/^.*@/, '').toLowerCase();
  if (!isUuid(id) || (domain !== undefined && domain.toLowerCase() !== own)) {
    throw new Refusal('this is not a Message-ID of this service');
  }
  return id.toLowerCase();
}

function readReport(bytes: Buffer): DeliveryReport {
  try {
    return readDeliveryReport(bytes);
  } catch (error) {
    throw error instanceof UnreadableReport ? new Refusal(error.message) : error;
  }
}

/** Reads standard input, but not much more than a report may have. */
async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > reportBytesMax) break;
  }
  return Buffer.concat(chunks);
}

/** The mail server keeps the report while the message is still being delivered, the database is away or a setting is wrong. */
async function orTryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isTemporary =
      error instanceof NotAcceptedYet || error instanceof OperatorError || (error as Error).name === 'DatabaseFailure';
    throw isTemporary ? new TryAgainLater((error as Error).message, { cause: error }) : error;
  }
}
