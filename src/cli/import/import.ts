import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Import } from '../../imports/import.ts';
import { importJson } from '../../imports/json.ts';
import { findAnyImport, listNewestImports } from '../../imports/queries.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import { positiveInteger } from '../core/arguments.ts';
import { byId, noSuch } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';
import { defineFiles } from './import-files.ts';
import { showProgress } from './import-progress.ts';
import { defineStart } from './import-start.ts';
import { showImport, viewImport, viewItems } from './import-view.ts';

interface ListOptions {
  account?: string;
  limit: number;
}

const watchMs = 500;

export function define(noun: Command): void {
  defineStart(noun);
  defineFiles(noun);

  noun
    .command('list')
    .description('list imports, newest first')
    .option('--account <id>', 'only imports of one company')
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), 100)
    .action(async ({ account, limit }: ListOptions, command: Command) => {
      if (account !== undefined && !isUuid(account)) throw noSuch('account', account);
      const rows = await withDatabase(({ db }) => listNewestImports(db, account ?? null, limit));
      answer(command, rows.map(viewImport), (shown) => table(shown.map(summary), 'no imports'));
    });

  noun
    .command('show <id>')
    .description('show an import and the outcome of each file; for a vendor import, only failed files')
    .option('--watch', 'show the progress until the import ends')
    .action(async (id: string, { watch = false }: { watch?: boolean }, command: Command) => {
      const shown = await withDatabase(async ({ db }) => {
        const found = await byId('import', id, () => findAnyImport(db, id));
        return viewItems(db, watch ? await watched(db, found) : found);
      });
      answer(command, shown, showImport);
    });
}

/** Shows the same counts as the API. */
async function watched(db: Queryable, found: Import): Promise<Import> {
  const progress = showProgress(process.stderr);
  let row = found;
  try {
    for (;;) {
      progress.update(importJson(row));
      if (row.status === 'finished') return row;
      await sleep(watchMs);
      row = (await findAnyImport(db, row.id)) ?? row;
    }
  } finally {
    progress.end();
  }
}

function summary({ id, source, status, filed, failed, remaining, created_at }: ReturnType<typeof viewImport>) {
  return { id, source, status, filed, failed, remaining, created_at };
}
