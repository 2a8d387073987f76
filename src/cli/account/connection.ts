import type { Command } from 'commander';
import { findConnection, findConnectionById } from '../../esign/connection.ts';
import { connectionJson } from '../../esign/json.ts';
import { byId } from '../core/by-id.ts';
import { pagesOrigin } from '../core/pages-origin.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card, remark, table } from '../core/terminal.ts';
import { disconnectCompany } from './disconnect-company.ts';
import { findCompany } from './find-company.ts';

const kind = 'connection';

export function define(connection: Command): void {
  connection
    .command('start')
    .description("print the address where an owner connects the company's e-signature vendor account")
    .requiredOption('--account <id>', 'the company')
    .action(async ({ account }: { account: string }, command: Command) => {
      const url = await withDatabase(async ({ config, db }) => {
        await findCompany(db, account);
        if (config.esign.client === null) remark('ESIGN_CLIENT_ID is not set: nobody can connect yet');
        return `${await pagesOrigin(config)}/settings/connections`;
      });
      answer(command, { account_id: account, url }, card);
    });

  connection
    .command('list')
    .description('list the connections of a company')
    .requiredOption('--account <id>', 'the company')
    .action(async ({ account }: { account: string }, command: Command) => {
      const found = await withDatabase(async ({ db }) => {
        await findCompany(db, account);
        return findConnection(db, account);
      });
      const connections = found === null ? [] : [connectionJson(found)];
      answer(command, connections, (all) => table(all.map(row), 'not connected to anything'));
    });

  connection
    .command('show <id>')
    .description('show one connection: account, user, since when, and whether it must be renewed')
    .action(async (id: string, _options, command: Command) => {
      const found = await withDatabase(({ db }) => byId(kind, id, () => findConnectionById(db, id)));
      answer(command, connectionJson(found), card);
    });

  connection
    .command('remove <id>')
    .description('disconnect: delete the tokens and have the vendor revoke them; imported documents stay')
    .action(async (id: string, _options, command: Command) => {
      const removed = await withDatabase((session) => remove(session, id));
      answer(command, removed, ({ revoked }) => (revoked ? 'disconnected\n' : `disconnected, but ${unconfirmed}\n`));
    });
}

const unconfirmed =
  'the vendor did not confirm that the tokens are void: remove this service from the connected apps there';

async function remove(session: Session, id: string) {
  const found = await byId(kind, id, () => findConnectionById(session.db, id));
  const removed = await byId(kind, id, () => disconnectCompany(session, found.account_id));
  return { ...connectionJson(found), ...removed };
}

function row({ id, status, connected_at, vendor_account }: ReturnType<typeof connectionJson>) {
  return { id, status, connected_at, vendor_account: vendor_account?.name ?? vendor_account?.id };
}
