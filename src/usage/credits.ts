import { isHidden } from '../accounts/document-access.ts';
import { nextEntryNumber } from '../accounts/manage-accounts.ts';
import { isTier, type PlanTable } from '../accounts/plans.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { monthOf } from './import-quota.ts';

/** What is bought with credits: a page each of a document's file, paid for once however often it is unlocked. */
export interface Purchase {
  accountId: string;
  documentId: string;
  sourceSha256: Buffer;
  pages: number;
}

export interface Balance {
  credits: number;
  /** The plan's monthly credits that this month has not added yet: the next payment adds them first. */
  due: number;
}

/**
 * What an account can spend: both together. The plan's monthly credits are added once in a UTC month, by the first payment
 * and before it takes anything, so that bought ones are spent last. They stay until they are used. A larger plan within
 * the month adds the difference.
 */
export async function readBalance(world: World, db: Queryable, plans: PlanTable, accountId: string): Promise<Balance> {
  const rows = await db.query<AccountCredits>({
    name: 'read_balance',
    text: `select ${columns} from accounts where id = $1`,
    values: [accountId],
  });
  return balanceOf(world, plans, rows[0]);
}

/** What each of these accounts can spend, the plan's credits of this month included. */
export async function readSpendable(
  world: World,
  db: Queryable,
  plans: PlanTable,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<AccountCredits & { id: string }>({
    name: 'read_spendable',
    text: `select id, ${columns} from accounts where id = any ($1::uuid[])`,
    values: [accountIds],
  });
  return new Map(
    rows.map((row) => {
      const { credits, due } = balanceOf(world, plans, row);
      return [row.id, credits + due];
    }),
  );
}

/** Whether it can be paid as things stand, or was paid already: asked before anything is done for it. */
export async function canPay(world: World, tx: Tx, plans: PlanTable, wanted: Purchase): Promise<boolean> {
  const { credits, due } = await readBalance(world, tx, plans, wanted.accountId);
  return credits + due >= wanted.pages || isPaid(tx, wanted);
}

/**
 * Pays, in the transaction that records what was bought. Null, and nothing is taken, when there are too few credits;
 * else how many were taken: none for what was paid already.
 */
export async function payCredits(world: World, tx: Tx, plans: PlanTable, bought: Purchase): Promise<number | null> {
  const [account] = await tx.query<AccountCredits>({
    name: 'lock_balance',
    text: `select ${columns} from accounts where id = $1 for no key update`,
    values: [bought.accountId],
  });
  if (await isPaid(tx, bought)) return 0;
  const { credits, due } = balanceOf(world, plans, account);
  if (credits + due < bought.pages) return null;
  if (due > 0) await grant(world, tx, bought.accountId, due, credits + due);
  await charge(world, tx, bought);
  return bought.pages;
}

interface AccountCredits {
  tier: string;
  credits: number;
  credits_month: number | null;
  credits_granted: number;
}

const columns = 'tier, credits, credits_month, credits_granted';

function balanceOf(world: World, plans: PlanTable, account: AccountCredits | undefined): Balance {
  if (account === undefined) throw new Error('there is no such account');
  const { tier, credits, credits_month, credits_granted } = account;
  // The month after this clock's counts too, because the clock of another process may be a little ahead at midnight. A later one
  // was written by a clock that was wrong.
  const monthsAhead = credits_month === null ? null : credits_month - monthOf(world.clock.now());
  const granted = monthsAhead === 0 || monthsAhead === 1 ? credits_granted : 0;
  const monthly = isTier(tier) ? plans[tier].credits_per_month : 0;
  return { credits, due: Math.min(Math.max(0, monthly - granted), Number.MAX_SAFE_INTEGER - credits) };
}

/** Whether these pages were paid for before. */
export async function isPaid(
  db: Queryable,
  { documentId, sourceSha256 }: Pick<Purchase, 'documentId' | 'sourceSha256'>,
): Promise<boolean> {
  const paid = await db.query({
    name: 'find_payment',
    text: 'select 1 from credit_entries where document_id = $1 and source_sha256 = $2 and amount < 0',
    values: [documentId, sourceSha256],
  });
  return paid.length > 0;
}

async function grant(world: World, tx: Tx, accountId: string, amount: number, balance: number): Promise<void> {
  const now = world.clock.now();
  await tx.query({
    name: 'grant_monthly_credits',
    text: `with granted as (
             update accounts
             set credits = credits + $2, credits_month = case when credits_month = $3 + 1 then credits_month else $3 end,
               credits_granted = $2 + case when credits_month between $3 and $3 + 1 then credits_granted else 0 end
             where id = $1
           )
           insert into credit_entries (id, account_id, number, amount, balance, reason, created_at)
           values ($4, $1, ${nextEntryNumber}, $2, $5, 'monthly credits of the plan', $6)`,
    values: [accountId, amount, monthOf(now), world.newId(), balance, now],
  });
}

async function charge(world: World, tx: Tx, { accountId, documentId, sourceSha256, pages }: Purchase): Promise<void> {
  await tx.query({
    name: 'charge_credits',
    text: `with charged as (update accounts set credits = credits - $2 where id = $1 returning credits)
           insert into credit_entries (id, account_id, number, amount, balance, reason, document_id, source_sha256, created_at)
           select $3, $1, ${nextEntryNumber}, -$2::bigint, credits, 'unlocked a document', $4, $5, $6 from charged`,
    values: [accountId, pages, world.newId(), documentId, sourceSha256, world.clock.now()],
  });
}

/** One row of `credit_entries`. */
export interface CreditEntry {
  amount: number;
  /** After it. */
  balance: number;
  reason: string;
  document_id: string | null;
  created_at: Timestamp;
}

/** Newest first. */
export function listCreditEntries(db: Queryable, accountId: string, limit: number): Promise<CreditEntry[]> {
  return db.query<CreditEntry>({
    name: 'list_credit_entries',
    text: `select amount, balance, reason, document_id, created_at from credit_entries
           where account_id = $1 order by number desc limit $2`,
    values: [accountId, limit],
  });
}

/** The same as pages, after an entry. `is_hidden`: whether the reader may not see the document. `readerId`: from `readerIdOf`. */
export function pageCreditEntries(
  db: Queryable,
  accountId: string,
  readerId: string | null,
  afterId: string | null,
  limit: number,
): Promise<Array<CreditEntry & { id: string; is_hidden: boolean }>> {
  return db.query<CreditEntry & { id: string; is_hidden: boolean }>({
    name: 'page_credit_entries',
    text: `select id, amount, balance, reason, document_id, created_at, exists (
             select 1 from documents d where d.account_id = $1 and d.id = document_id and ${isHidden('d', '$4')}
           ) as is_hidden
           from credit_entries
           where account_id = $1
             and ($2::uuid is null or number < (select number from credit_entries where account_id = $1 and id = $2))
           order by number desc limit $3`,
    values: [accountId, afterId, limit, readerId],
  });
}
