import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { type ExportFormat, exportFormats, firstRows } from '../../http/log-export.ts';
import { exportMessageLog, messagePages } from '../../message-log/export-message-log.ts';
import type { MessageJson } from '../../message-log/message-json.ts';
import { type LoggedKind, loggedKinds, type MessageState, messageStates } from '../../message-log/message-kinds.ts';
import type { MessageFilter } from '../../message-log/read-message-log.ts';
import { storedContact } from '../../messages/stored-address.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { instantOf, oneOf, positiveInteger, textOf, UsageError } from '../core/arguments.ts';
import { noSuch } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table, wantsJson } from '../core/terminal.ts';
import { findCompany } from './find-company.ts';

interface Options {
  state?: MessageState;
  kind?: LoggedKind;
  to?: string;
  document?: string;
  since?: Timestamp;
  until?: Timestamp;
  limit: number;
  format?: ExportFormat;
}

const limitDefault = 100;
const addressLengthMax = 320;

const examples = `
Examples:
  countersign account messages $ACCOUNT --state failed
  countersign account messages $ACCOUNT --to ada@example.com --since 2030-01-01T00:00:00Z
  countersign account messages $ACCOUNT --format csv > messages.csv`;

export function defineMessages(account: Command): void {
  account
    .command('messages <id>')
    .description('e-mails and SMS that the documents of a company caused, newest first')
    .option('--state <state>', `only this state: ${messageStates.join(', ')}`, oneOf('--state', messageStates))
    .option('--kind <kind>', 'only this kind, such as signature_request', oneOf('--kind', loggedKinds))
    .option('--to <address>', 'only to this e-mail address or phone number', textOf('--to', addressLengthMax))
    .option('--document <id>', 'only about this document')
    .option('--since <time>', 'only from this time on, such as 2030-01-31T12:00:00Z', instantOf('--since'))
    .option('--until <time>', 'only before this time', instantOf('--until'))
    .option('--limit <n>', 'maximum number of results, without --format', positiveInteger('--limit'), limitDefault)
    .option(
      '--format <format>',
      'write all results: csv, or json for one object a line',
      oneOf('--format', exportFormats),
    )
    .addHelpText('after', examples)
    .action(async (id: string, options: Options, command: Command) => {
      const { format } = options;
      if (format !== undefined && wantsJson(command)) throw new UsageError('give --format or --json, not both');
      if (options.document !== undefined && !isUuid(options.document)) throw noSuch('document', options.document);
      const messages = await withDatabase(async ({ db }) => {
        await findCompany(db, id);
        const log = { accountId: id, filter: filterOf(options), language: 'en' } as const;
        if (format === undefined) return firstRows(messagePages(db, log), options.limit);
        await pipeline(Readable.from(exportMessageLog(db, { ...log, format })), process.stdout, { end: false });
        return null;
      });
      if (messages !== null) answer(command, messages, (rows) => table(rows.map(messageRow), 'no messages'));
    });
}

function filterOf({ state, kind, to, document, since, until }: Options): MessageFilter {
  return {
    state: state ?? null,
    kind: kind ?? null,
    address: to === undefined ? null : storedContact(to),
    documentId: document ?? null,
    from: since === undefined ? null : new Date(since),
    to: until === undefined ? null : new Date(until),
  };
}

function messageRow({ id, queued_at, kind_name, to, state, attempts, error }: MessageJson) {
  return { id, at: queued_at, what: kind_name, to: to.address ?? '', state, tries: attempts, error: error?.text ?? '' };
}
