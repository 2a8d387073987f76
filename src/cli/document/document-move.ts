import type { Command } from 'commander';
import { type Folder, findFolderById, holdFolder } from '../../accounts/folders.ts';
import type { Document } from '../../documents/document.ts';
import { moveDocuments, movedMax } from '../../documents/move-documents.ts';
import { Refusal } from '../../errors.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';
import { lockById } from './lock-document.ts';

interface Options {
  to?: string;
  out?: boolean;
  showEveryone?: boolean;
}

export function defineMove(document: Command): void {
  document
    .command('move <ids...>')
    .description('move documents or templates of a company to a folder, or out of it')
    .option('--to <folder>', 'the folder')
    .option('--out', 'to no folder: everyone in the company sees them')
    .option('--show-everyone', 'confirm that everyone sees what only the members of a folder have seen')
    .action(async (ids: string[], options: Options, command: Command) => {
      if ((options.to === undefined) === (options.out !== true)) throw new UsageError('use either --to or --out');
      const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
      if (wanted.length > movedMax) throw new UsageError(`at most ${movedMax} documents are moved at once`);
      const moved = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          const documents: Document[] = [];
          for (const id of wanted) documents.push(await lockById(tx, id));
          const target = options.to === undefined ? null : await hold(tx, options.to, documents);
          if (options.showEveryone !== true) await assertNotShown(tx, documents, target);
          await moveDocuments(world, tx, documents, target, null);
          return documents;
        }),
      );
      const rows = moved.map(({ id, folder_id, title }) => ({ id, folder_id, title }));
      answer(command, rows, (shown) => table(shown, 'no documents'));
    });
}

/** Finds the folder of the documents' company. */
function hold(tx: Tx, id: string, documents: readonly Document[]): Promise<Folder> {
  const accounts = [...new Set(documents.map(({ account_id }) => account_id))];
  if (accounts.length > 1) throw new Refusal('the documents belong to several companies');
  return byId('folder', id, () => holdFolder(tx, accounts[0] ?? '', id));
}

/** Refuses to show everyone what only some have seen. */
async function assertNotShown(db: Queryable, documents: readonly Document[], target: Folder | null): Promise<void> {
  if (target !== null && !target.is_open) return;
  for (const { folder_id } of documents) {
    const folder = folder_id === null ? null : await findFolderById(db, folder_id);
    // A deleted folder shows its documents to owners and admins only.
    if (folder_id !== null && folder?.is_open !== true) {
      throw new Refusal('everyone in the company would see a document that only some have seen: add --show-everyone');
    }
  }
}
