import { join } from 'node:path';
import type { Command } from 'commander';
import { eraseAccount, readErasedAt, requestErasure } from '../../erasure/erase-account.ts';
import { Refusal } from '../../errors.ts';
import { byId } from '../core/by-id.ts';
import { type Session, withExistingDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { findCompany } from './find-company.ts';

export function defineErase(account: Command): void {
  account
    .command('erase <id>')
    .description('delete all data of a removed company, with its files')
    .requiredOption('--confirm <name>', "the company's name: this cannot be undone")
    .action(async (id: string, { confirm }: { confirm: string }, command: Command) => {
      answer(command, await withExistingDatabase((session) => erase(session, id, confirm)), card);
    });
}

async function erase({ config, world, db }: Session, id: string, confirmed: string) {
  const company = await findCompany(db, id);
  const isErased = (await readErasedAt(db, id)) !== null;
  if (company.display_name !== confirmed && !isErased) throw new Refusal('--confirm is not the name of this company');
  await byId('account', id, () => requestErasure(world, db, id));
  const { documents, people } = await eraseAccount({
    world,
    db,
    accountId: id,
    stopping: new AbortController().signal,
    mailboxDir: join(config.dataDir, 'mailbox'),
  });
  const removed = config.retention.removedFilesDays;
  return { id, erased_at: await readErasedAt(db, id), documents, people, files_removed_after_days: removed };
}
