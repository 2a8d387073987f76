import type { Queryable } from '../postgres/database.ts';
import { isTier, type Plan, type PlanTable } from './plans.ts';

/** Reads an account's current plan. Null if the account is removed, or its tier isn't in the plan table. */
export async function readPlan(db: Queryable, plans: PlanTable, accountId: string): Promise<Plan | null> {
  const [account] = await db.query<{ tier: string }>({
    name: 'read_account_tier',
    text: 'select tier from accounts where id = $1 and removed_at is null',
    values: [accountId],
  });
  return account !== undefined && isTier(account.tier) ? plans[account.tier] : null;
}
