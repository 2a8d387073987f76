import type { Command } from 'commander';
import { pageRestrictedPapers, type RestrictedPaper } from '../documents/restricted-papers.ts';
import type { Queryable } from '../postgres/database.ts';
import { positiveInteger } from './arguments.ts';
import { findCompany } from './find-company.ts';
import { withDatabase } from './session.ts';
import { answer, table } from './terminal.ts';

const limitDefault = 100;
const pageSize = 500;

export function defineRestrictedPapers(account: Command): void {
  account
    .command('restricted-papers <id>')
    .description("a company's sensitive papers, newest first: document list leaves them out")
    .option('--limit <n>', 'at most so many', positiveInteger('--limit'), limitDefault)
    .action(async (id: string, { limit }: { limit: number }, command: Command) => {
      const papers = await withDatabase(async ({ db }) => {
        await findCompany(db, id);
        return newestPapers(db, id, limit);
      });
      answer(command, papers.map(paperRow), (rows) => table(rows, 'no sensitive papers'));
    });
}

async function newestPapers(db: Queryable, accountId: string, limit: number): Promise<RestrictedPaper[]> {
  const found: RestrictedPaper[] = [];
  for (;;) {
    const wanted = Math.min(pageSize, limit - found.length);
    const page = await pageRestrictedPapers(db, accountId, found.at(-1)?.id ?? null, wanted);
    found.push(...page);
    if (page.length < wanted || found.length === limit) return found;
  }
}

function paperRow({ id, restricted_kind, status, type, created_at, title }: RestrictedPaper) {
  return { id, restricted_kind, status, type, created_at, title };
}
