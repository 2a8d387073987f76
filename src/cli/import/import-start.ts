import type { Command } from 'commander';
import { startVendorImport } from '../../imports/esign/start-vendor-import.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { findActiveCompany } from '../account/find-company.ts';
import { instantOf } from '../core/arguments.ts';
import { refusingAnswers } from '../core/refusing-answers.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { viewImport } from './import-view.ts';

interface Options {
  account: string;
  earliest?: Timestamp;
  unlock?: boolean;
}

export function defineStart(noun: Command): void {
  noun
    .command('start')
    .description('start importing completed envelopes from the connected e-signature vendor; the service does the work')
    .requiredOption('--account <id>', 'the company that is connected')
    .option(
      '--earliest <time>',
      'RFC 3339 with its zone: only what was completed then or later',
      instantOf('--earliest'),
    )
    .option('--unlock', 'also convert each to editable text, for one credit per page')
    .action(async ({ account, earliest, unlock = false }: Options, command: Command) => {
      const started = await withDatabase(async ({ world, db }) => {
        const starter = { accountId: (await findActiveCompany(db, account)).id, personId: null };
        const options = { earliest: earliest ?? null, unlockDoc: unlock };
        return refusingAnswers(() => db.transaction((tx) => startVendorImport({ world }, tx, starter, options)));
      });
      answer(command, viewImport(started), card);
    });
}
