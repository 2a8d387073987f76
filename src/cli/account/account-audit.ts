import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { type AccountAction, accountActions } from '../../accounts/account-audit.ts';
import { type AuditJson, actorName } from '../../audit-log/audit-json.ts';
import { auditPages, exportAuditLog } from '../../audit-log/export-audit-log.ts';
import type { AuditFilter } from '../../audit-log/read-audit-log.ts';
import { type ExportFormat, exportFormats, firstRows } from '../../http/log-export.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { instantOf, oneOf, positiveInteger, textOf, UsageError } from '../core/arguments.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table, wantsJson } from '../core/terminal.ts';
import { findCompany } from './find-company.ts';

interface Options {
  action?: AccountAction;
  person?: string;
  search?: string;
  from?: Timestamp;
  to?: Timestamp;
  limit: number;
  format?: ExportFormat;
}

const limitDefault = 100;
const textLengthMax = 200;

const examples = `
Examples:
  countersign account audit $ACCOUNT --action member_removed
  countersign account audit $ACCOUNT --person operator --from 2030-01-01T00:00:00Z
  countersign account audit $ACCOUNT --format csv > audit.csv`;

export function defineAudit(account: Command): void {
  account
    .command('audit <id>')
    .description('what people, the operator and the service did to a company, newest first')
    .option('--action <action>', 'only this action, such as key_created', oneOf('--action', accountActions))
    .option(
      '--person <address>',
      'only what this person did, or operator or service',
      textOf('--person', textLengthMax),
    )
    .option('--search <text>', 'only entries with each of these words', textOf('--search', textLengthMax))
    .option('--from <time>', 'only from this time on, such as 2030-01-31T12:00:00Z', instantOf('--from'))
    .option('--to <time>', 'only before this time', instantOf('--to'))
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
      const entries = await withDatabase(async ({ db }) => {
        await findCompany(db, id);
        const log = { accountId: id, filter: filterOf(options), language: 'en' } as const;
        if (format === undefined) return firstRows(auditPages(db, log), options.limit);
        const lines = exportAuditLog(db, { ...log, format });
        await pipeline(Readable.from(lines), process.stdout, { end: false });
        return null;
      });
      if (entries !== null) answer(command, entries, (rows) => table(rows.map(entryRow), 'no entries'));
    });
}

function filterOf({ action, person, search, from, to }: Options): AuditFilter {
  return {
    action: action ?? null,
    person: person ?? null,
    text: search ?? null,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
  };
}

function entryRow({ at, by, text }: AuditJson) {
  return { at, who: actorName(by, 'en'), what: text };
}
