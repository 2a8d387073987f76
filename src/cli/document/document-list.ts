import type { Command } from 'commander';
import { type DocumentStatus, documentStatuses } from '../../documents/document.ts';
import { type DocumentFilter, everyDocument, type ListPosition, splitWords } from '../../documents/document-filter.ts';
import { type DocumentJsonRow, documentJson } from '../../documents/json.ts';
import { searchDocuments } from '../../documents/search-documents.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findCompany } from '../account/find-company.ts';
import { documentStatusesOf, folderOf, positiveInteger, textOf } from '../core/arguments.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';

interface Options {
  account: string;
  status?: readonly DocumentStatus[];
  search?: string;
  scheduled?: boolean;
  folder?: string;
  limit: number;
}

const limitDefault = 100;
const searchLengthMax = 200;
const pageSize = 500;

export function defineList(document: Command): void {
  document
    .command('list')
    .description("list a company's documents, newest first, without templates and restricted documents")
    .requiredOption('--account <id>', 'the company')
    .option(
      '--status <list>',
      `only these statuses, comma-separated: ${documentStatuses.join(',')}`,
      documentStatusesOf,
    )
    .option(
      '--search <text>',
      'only those with each of these words in their title, or in the name or address of a recipient',
      textOf('--search', searchLengthMax),
    )
    .option('--scheduled', 'only those that are sent later, at their scheduled time')
    .option('--folder <id>', 'only those in this folder, or `none` for those in no folder', folderOf)
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), limitDefault)
    .action(async ({ account, status, search = '', scheduled = false, folder, limit }: Options, command: Command) => {
      const rows = await withDatabase(async ({ db }) => {
        const { id } = await findCompany(db, account);
        const only = {
          words: splitWords(search),
          statuses: status ?? null,
          isScheduled: scheduled,
          folder: folder ?? null,
        };
        const filter = { ...everyDocument, ...only };
        return newestDocuments(db, id, filter, limit);
      });
      answer(command, rows.map(documentView), (shown) => table(shown.map(documentRow), 'no documents'));
    });
}

/** Searches in steps, so that no single query takes long. */
async function newestDocuments(
  db: Queryable,
  accountId: string,
  filter: DocumentFilter,
  limit: number,
): Promise<DocumentJsonRow[]> {
  const found: DocumentJsonRow[] = [];
  let after: ListPosition | null = null;
  do {
    const portion = {
      filter,
      sort: 'newest',
      title: null,
      after,
      limit: Math.min(pageSize, limit - found.length),
    } as const;
    const { rows, next } = await searchDocuments(db, accountId, portion);
    found.push(...rows);
    after = next;
  } while (after !== null && found.length < limit);
  return found;
}

function documentView(row: DocumentJsonRow) {
  return { ...documentJson(row), account_id: row.account_id };
}

function documentRow({ id, status, type, recipient_count, created_at, title }: ReturnType<typeof documentView>) {
  return { id, status, type, recipients: recipient_count, created_at, title };
}
