import type { Command } from 'commander';
import { pageRestrictedDocuments, type RestrictedDocument } from '../../documents/restricted-documents.ts';
import type { Queryable } from '../../postgres/database.ts';
import { positiveInteger } from '../core/arguments.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';
import { findCompany } from './find-company.ts';

const limitDefault = 100;
const pageSize = 500;

export function defineRestrictedPapers(account: Command): void {
  account
    .command('restricted-papers <id>')
    .description("list a company's restricted documents, newest first")
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), limitDefault)
    .action(async (id: string, { limit }: { limit: number }, command: Command) => {
      const documents = await withDatabase(async ({ db }) => {
        await findCompany(db, id);
        return newestRestricted(db, id, limit);
      });
      answer(command, documents.map(toRow), (rows) => table(rows, 'no restricted documents'));
    });
}

async function newestRestricted(db: Queryable, accountId: string, limit: number): Promise<RestrictedDocument[]> {
  const found: RestrictedDocument[] = [];
  for (;;) {
    const wanted = Math.min(pageSize, limit - found.length);
    const page = await pageRestrictedDocuments(db, accountId, found.at(-1)?.id ?? null, wanted);
    found.push(...page);
    if (page.length < wanted || found.length === limit) return found;
  }
}

function toRow({ id, restricted_kind, status, type, created_at, title }: RestrictedDocument) {
  return { id, restricted_kind, status, type, created_at, title };
}
