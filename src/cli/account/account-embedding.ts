import type { Command } from 'commander';
import { embedOriginsMax, readEmbedOrigin, readEmbedOrigins, setEmbedOrigins } from '../../accounts/embed-origins.ts';
import { UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

const examples = `
Examples:
  countersign account embedding $ACCOUNT
  countersign account embedding $ACCOUNT --sites https://app.example.com,https://intranet.example.com
  countersign account embedding $ACCOUNT --sites ''`;

export function defineEmbedding(account: Command): void {
  account
    .command('embedding <id>')
    .description('show or set which sites may show signing pages in a frame')
    .option('--sites <list>', 'addresses such as https://app.example.com, with commas; empty for none', readSites)
    .addHelpText('after', examples)
    .action(async (id: string, { sites }: { sites?: string[] }, command: Command) => {
      const origins = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          if (sites === undefined) return readEmbedOrigins(tx, (await findCompany(tx, id)).id);
          await findActiveCompany(tx, id);
          return byId('account', id, () => setEmbedOrigins(world, tx, id, sites, null));
        }),
      );
      answer(command, { id, embed_origins: origins }, card);
    });
}

function readSites(list: string): string[] {
  const sites = list
    .split(',')
    .map((site) => site.trim())
    .filter((site) => site !== '')
    .map((site) => {
      const origin = readEmbedOrigin(site);
      if (origin !== null) return origin;
      throw new UsageError(`--sites must have addresses with https:// and without a path, and ${site} is none`);
    });
  if (new Set(sites).size > embedOriginsMax)
    throw new UsageError(`--sites may have at most ${embedOriginsMax} addresses`);
  return sites;
}
