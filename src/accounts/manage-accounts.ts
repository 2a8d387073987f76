import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { auditAccount } from './account-audit.ts';
import { forgetSavedSignatures, listMembers } from './members.ts';
import type { Tier } from './plans.ts';

/** A company. Its id is the tenant of everything else. */
export interface Account {
  id: string;
  display_name: string;
  tier: string;
  credits: number;
  created_at: Timestamp;
  removed_at: Timestamp | null;
}

const columns = 'id, display_name, tier, credits, created_at, removed_at';

export async function createAccount(
  world: World,
  db: Queryable,
  account: { displayName: string; tier: Tier },
): Promise<Account> {
  // The budget row comes with the account, so that spending only ever updates.
  const rows = await db.query<Account>({
    name: 'create_account',
    text: `with account as (
             insert into accounts (id, display_name, tier, created_at) values ($1, $2, $3, $4) returning ${columns}
           ), budget as (
             insert into rate_usage (account_id) select id from account
           )
           select ${columns} from account`,
    values: [world.newId(), account.displayName, account.tier, world.clock.now()],
  });
  return rows[0] as Account;
}

export async function listAccounts(db: Queryable): Promise<Account[]> {
  return db.query<Account>({ name: 'list_accounts', text: `select ${columns} from accounts order by id`, values: [] });
}

export async function findAccount(db: Queryable, id: string): Promise<Account | null> {
  const rows = await db.query<Account>({
    name: 'find_account',
    text: `select ${columns} from accounts where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** The company as the parties of its documents see it. */
export async function readAccountName(db: Queryable, id: string): Promise<string> {
  const rows = await db.query<{ display_name: string }>({
    name: 'read_account_name',
    text: 'select display_name from accounts where id = $1',
    values: [id],
  });
  if (rows[0] === undefined) throw new Error(`there is no account ${id}`);
  return rows[0].display_name;
}

export async function setPlan(db: Queryable, id: string, tier: Tier): Promise<Account | null> {
  const rows = await db.query<Account>({
    name: 'set_plan',
    text: `update accounts set tier = $2 where id = $1 returning ${columns}`,
    values: [id, tier],
  });
  return rows[0] ?? null;
}

/**
 * Its keys answer 403 `key_company_unavailable` from the next request on, and its webhook endpoints are removed, so that
 * pending deliveries end, and so is the stream of its audit log. Its e-mail domains and its own host are free for another
 * company. What its members saved to sign with is deleted if it was their last company. No document is deleted. Removing it twice
 * changes nothing. Null: there is none.
 */
export async function removeAccount(world: World, tx: Tx, id: string): Promise<Account | null> {
  // A statement of its own: one that locks and deletes would leave what others added while it waited for the lock.
  const [held] = await tx.query<Pick<Account, 'removed_at'>>({
    name: 'lock_account_to_remove',
    text: 'select removed_at from accounts where id = $1 for update',
    values: [id],
  });
  if (held === undefined) return null;
  if (held.removed_at === null) {
    await auditAccount(world, tx, { accountId: id, personId: null, action: 'account_removed', detail: {} });
  }
  const rows = await tx.query<Account>({
    name: 'remove_account',
    text: `with ended as (
             update webhook_endpoints set removed_at = $2 where account_id = $1 and removed_at is null
           ), freed as (
             delete from sso_domains where account_id = $1
           ), silenced as (
             delete from audit_streams where account_id = $1
           ), unnamed as (
             delete from custom_domains where account_id = $1
           )
           update accounts set removed_at = coalesce(removed_at, $2) where id = $1 returning ${columns}`,
    values: [id, world.clock.now()],
  });
  const members = await listMembers(tx, id);
  await forgetSavedSignatures(
    tx,
    members.map(({ email }) => email),
  );
  return rows[0] ?? null;
}

/** Of the ledger of account `$1`, whose row must be locked: its entries are numbered in the order they take effect in. */
export const nextEntryNumber = '(select coalesce(max(number), 0) + 1 from credit_entries where account_id = $1)';

/** Adds to the balance and writes the entries of the ledger and of the audit log. `amount` is positive. */
export async function addCredits(world: World, tx: Tx, id: string, amount: number): Promise<Account | null> {
  const [account] = await tx.query<Account>({
    name: 'add_credits',
    text: `update accounts set credits = credits + $2 where id = $1 returning ${columns}`,
    values: [id, amount],
  });
  if (account === undefined) return null;
  await tx.query({
    name: 'record_credit_entry',
    text: `insert into credit_entries (id, account_id, number, amount, balance, reason, created_at)
           values ($2, $1, ${nextEntryNumber}, $3, $4, 'added by the operator', $5)`,
    values: [id, world.newId(), amount, account.credits, world.clock.now()],
  });
  await auditAccount(world, tx, { accountId: id, personId: null, action: 'credits_added', detail: { amount } });
  return account;
}
