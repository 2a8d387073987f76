import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Import } from '../imports/import.ts';
import { importJson, type StartedImportJson, startedImportJson } from '../imports/json.ts';
import { findAnyImport, listAllItems, listFailedItems, listNewestImports } from '../imports/queries.ts';
import type { Queryable } from '../postgres/database.ts';
import { isUuid } from '../world/ids.ts';
import { positiveInteger } from './arguments.ts';
import { byId, noSuch } from './by-id.ts';
import { showProgress } from './import-progress.ts';
import { withDatabase } from './session.ts';
import { answer, card, table } from './terminal.ts';

interface ListOptions {
  account?: string;
  limit: number;
}

const watchMs = 500;

export function define(noun: Command): void {
  noun
    .command('list')
    .description('imports, newest first')
    .option('--account <id>', 'only those of one account')
    .option('--limit <n>', 'at most so many', positiveInteger('--limit'), 100)
    .action(async ({ account, limit }: ListOptions, command: Command) => {
      if (account !== undefined && !isUuid(account)) throw noSuch('account', account);
      const rows = await withDatabase(({ db }) => listNewestImports(db, account ?? null, limit));
      answer(command, rows.map(operatorView), (shown) => table(shown.map(summary), 'no imports'));
    });

  noun
    .command('show <id>')
    .description('an import and what became of each of its files; of a migration, what failed')
    .option('--watch', 'show how far it has come, until it is finished')
    .action(async (id: string, { watch = false }: { watch?: boolean }, command: Command) => {
      const shown = await withDatabase(async ({ db }) => {
        const found = await byId('import', id, () => findAnyImport(db, id));
        return view(db, watch ? await watched(db, found) : found);
      });
      answer(command, shown, show);
    });
}

/** The counts are those that the API shows. */
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

/** Of a migration, which may have any number of files, only those that failed, and no more than a thousand. */
type Shown = StartedImportJson & { account_id: string };

async function view(db: Queryable, row: Import): Promise<Shown> {
  const isMigration = row.source === 'esign_vendor';
  const items = await (isMigration ? listFailedItems : listAllItems)(db, row.account_id, row.id);
  return { ...startedImportJson(row, items), account_id: row.account_id };
}

function operatorView(row: Import) {
  return { ...importJson(row), account_id: row.account_id };
}

function summary({ id, source, status, filed, failed, remaining, created_at }: ReturnType<typeof operatorView>) {
  return { id, source, status, filed, failed, remaining, created_at };
}

function show({ items, object: _, ...row }: Shown): string {
  const files = items.map(({ index, status, reason, document_id, pages, name }) => ({
    index,
    status: reason ?? status,
    document_id,
    pages,
    name,
  }));
  return `${card(row)}\n${table(files, row.source === 'esign_vendor' ? 'no failures' : 'no files')}`;
}
