import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { type LoggedOperatorAction, listOperatorLog } from '../../operators/operator-log.ts';
import { addOperator, listOperators, removeOperator } from '../../operators/operators.ts';
import { listCompanyStorage, readDatabaseBytes, readStorageTotals } from '../../operators/storage.ts';
import { emailOf, positiveInteger } from '../core/arguments.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';

const limitDefault = 100;
const email = ['--email <address>', 'the address that they sign in with', emailOf('--email')] as const;

export function define(operator: Command): void {
  operator
    .command('add')
    .description(
      "let a member of a company open the operator's page; again after they changed authenticator or passkeys",
    )
    .requiredOption(...email)
    .action(async ({ email }: { email: string }, command: Command) => {
      const added = await withDatabase(({ world, db }) => db.transaction((tx) => addOperator(world, tx, email)));
      answer(command, { ...added }, card);
    });

  operator
    .command('list')
    .description("list who may open the operator's page")
    .action(async (_options, command: Command) => {
      const operators = await withDatabase(({ db }) => listOperators(db));
      answer(command, operators, (rows) =>
        table(
          rows.map(({ person_id, added_at, email }) => ({ person_id, added_at, email })),
          'no operators',
        ),
      );
    });

  operator
    .command('remove')
    .description("close the operator's page to someone, from their next request on")
    .requiredOption(...email)
    .action(async ({ email }: { email: string }, command: Command) => {
      const removed = await withDatabase(({ world, db }) => db.transaction((tx) => removeOperator(world, tx, email)));
      if (removed === null) throw new Refusal('nobody with this e-mail address is an operator');
      answer(command, { ...removed }, card);
    });

  operator
    .command('log')
    .description("show what operators did on the operator's page and with these commands, newest first")
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), limitDefault)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const entries = await withDatabase(({ db }) => listOperatorLog(db, null, limit));
      answer(command, entries, (rows) => table(rows.map(logRow), 'nothing yet'));
    });

  operator
    .command('storage')
    .description('show how much companies store, those that store most first; measured once an hour')
    .option('--limit <n>', 'maximum number of companies', positiveInteger('--limit'), limitDefault)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const storage = await withDatabase(async ({ db }) => ({
        totals: await readStorageTotals(db),
        database_bytes: await readDatabaseBytes(db),
        companies: await listCompanyStorage(db, null, limit),
      }));
      answer(command, storage, ({ totals, database_bytes, companies }) => {
        const { files = null, bytes = null, measured_at = null } = totals ?? {};
        const rows = companies.map(({ display_name, ...rest }) => ({ ...rest, display_name }));
        return `${card({ files, bytes, measured_at, database_bytes })}\n${table(rows, 'no company stores a file')}`;
      });
    });
}

function logRow({ at, action, email, is_command_line, account_id, detail, about_email }: LoggedOperatorAction) {
  const by = is_command_line ? 'command line' : email;
  return { at, action, by, account: account_id, about: about_email, detail };
}
