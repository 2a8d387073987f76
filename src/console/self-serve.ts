import { findAccount } from '../accounts/manage-accounts.ts';
import { isTier, type Plan, type PlanTable } from '../accounts/plans.ts';
import type { Queryable } from '../postgres/database.ts';
import { ConsoleError } from './console-error.ts';

/** Reads the current plan of a company. Null if the plan table has no such tier. */
export async function readPlan(plans: PlanTable, db: Queryable, accountId: string): Promise<Plan | null> {
  const tier = (await findAccount(db, accountId))?.tier ?? '';
  return isTier(tier) ? plans[tier] : null;
}

/** Throws `plan_required` unless the plan includes creating keys and webhooks (Team and above). */
export async function assertSelfServe(
  { plans }: { plans: PlanTable },
  db: Queryable,
  accountId: string,
): Promise<void> {
  if (!(await readPlan(plans, db, accountId))?.self_serve) throw new ConsoleError('plan_required');
}
