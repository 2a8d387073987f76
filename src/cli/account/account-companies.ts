import type { Command } from 'commander';
import { type Account, createAccount, listAccounts, removeAccount } from '../../accounts/manage-accounts.ts';
import { readPlanTable, type Tier, tiers } from '../../accounts/plans.ts';
import { type DocumentType, documentTypes } from '../../document-types.ts';
import { setRestrictedTypes } from '../../documents/restricted-documents.ts';
import { findConnection } from '../../esign/connection.ts';
import { changePlan, grantCredits } from '../../operators/change-company.ts';
import { listCreditEntries, readBalance, readSpendable } from '../../usage/credits.ts';
import { closeRemoved } from '../../webhooks/manage-endpoints.ts';
import { positiveInteger, restrictedTypesOf, textOf, tierOf } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';
import { findCompany } from './find-company.ts';

const byCommandLine = { personId: null };
const nameLengthMax = 200;
const tierList = tiers.join(', ');

export function defineCompanies(account: Command): void {
  account
    .command('create')
    .description('create a company')
    .requiredOption('--name <name>', `its name, 1 to ${nameLengthMax} characters`, textOf('--name', nameLengthMax))
    .option('--plan <tier>', `one of ${tierList}; free has no API`, tierOf, 'pro')
    .action(async ({ name, plan }: { name: string; plan: Tier }, command: Command) => {
      await answerAccount(command, ({ world, db }) => createAccount(world, db, { displayName: name, tier: plan }));
    });

  account
    .command('list')
    .description('list all companies, including removed ones')
    .action(async (_options, command: Command) => {
      const accounts = await withDatabase(async (session) => accountsJson(session, await listAccounts(session.db)));
      answer(command, accounts, (rows) => table(rows.map(accountRow), 'no accounts'));
    });

  account
    .command('show <id>')
    .description('show one company with its latest credit entries')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(async (session) => withLedger(session, await findCompany(session.db, id)));
      answer(command, shown, showLedger);
    });

  account
    .command('set-plan <id> <tier>')
    .description(`change the plan to ${tierList}; takes effect with the next request`)
    .action(async (id: string, given: string, _options, command: Command) => {
      const tier = tierOf(given);
      await answerAccount(command, ({ world, db }) =>
        byId('account', id, () => db.transaction((tx) => changePlan(world, tx, id, tier, byCommandLine))),
      );
    });

  account
    .command('remove <id>')
    .description('close a company: its API keys stop working at once; its data stays, except its connections')
    .action(async (id: string, _options, command: Command) => {
      await answerAccount(command, (session) => remove(session, id));
    });

  account
    .command('restrict-types <id>')
    .description('restrict new documents of these types: API keys cannot see them')
    .requiredOption('--types <list>', `none, or some of ${documentTypes.join(',')}`, restrictedTypesOf)
    .action(async (id: string, { types }: { types: readonly DocumentType[] }, command: Command) => {
      const restricted = await withDatabase(({ world, db }) =>
        byId('account', id, () => db.transaction((tx) => setRestrictedTypes(world, tx, id, types, null))),
      );
      answer(command, { id, restricted_types: restricted }, card);
    });

  account
    .command('add-credits <id> <n>')
    .description('add n credits to the balance')
    .action(async (id: string, given: string, _options, command: Command) => {
      const amount = positiveInteger('n')(given);
      await answerAccount(command, ({ world, db }) =>
        byId('account', id, () => db.transaction((tx) => grantCredits(world, tx, id, amount, byCommandLine))),
      );
    });
}

/** Closes the company. Its vendor connection is deleted and the vendor revokes the tokens. */
async function remove(session: Session, id: string): Promise<Account> {
  const { world, db } = session;
  const removed = await byId('account', id, () => db.transaction((tx) => removeAccount(world, tx, id)));
  await closeRemoved(world, db);
  if ((await findConnection(db, id)) !== null) {
    const { disconnectCompany } = await import('./disconnect-company.ts');
    await disconnectCompany(session, id);
  }
  return removed;
}

async function answerAccount(command: Command, act: (session: Session) => Promise<Account>): Promise<void> {
  const changed = await withDatabase(async (session) => accountsJson(session, [await act(session)]));
  answer(command, changed[0] as AccountJson, card);
}

type AccountJson = Awaited<ReturnType<typeof accountsJson>>[number];

/** `credits` is the amount that can be spent: the balance plus what the plan still adds this month. */
async function accountsJson({ world, config, db }: Session, accounts: readonly Account[]) {
  const ids = accounts.map(({ id }) => id);
  const spendable = await readSpendable(world, db, readPlanTable(config.plansFile), ids);
  return accounts.map(({ id, display_name, tier, created_at, removed_at, credits }) => {
    return { id, display_name, tier, created_at, removed_at, credits: spendable.get(id) ?? credits };
  });
}

const entriesShown = 50;

async function withLedger(session: Session, account: Account) {
  const { world, config, db } = session;
  const [[shown], { due }, entries] = await Promise.all([
    accountsJson(session, [account]),
    readBalance(world, db, readPlanTable(config.plansFile), account.id),
    listCreditEntries(db, account.id, entriesShown),
  ]);
  // `credits_due`: credits of this month that the ledger does not hold yet. The entries are newest first.
  return { ...(shown as AccountJson), credits_due: due, credit_entries: entries };
}

function showLedger({ credit_entries: entries, ...account }: Awaited<ReturnType<typeof withLedger>>): string {
  return `${card(account)}\n${table(
    entries.map((entry) => ({ ...entry })),
    'no credits added or used yet',
  )}`;
}

function accountRow({ display_name, ...rest }: AccountJson) {
  return { ...rest, display_name };
}
