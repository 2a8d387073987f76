import { findAccount } from '../accounts/manage-accounts.ts';
import { isTier, type Plan, type PlanTable } from '../accounts/plans.ts';
import type { Queryable } from '../postgres/database.ts';
import { ConsoleError } from './console-error.ts';

/** The plan a company is on, as it is now. Null for a tier that the table does not know. */
export async function readPlan(plans: PlanTable, db: Queryable, accountId: string): Promise<Plan | null> {
  const tier = (await findAccount(db, accountId))?.tier ?? '';
  return isTier(tier) ? plans[tier] : null;
}

/** Keys and webhooks are made by oneself on the Team plan and above (spec.md, Authentication, 4, and Events). */
export async function assertSelfServe(
  { plans }: { plans: PlanTable },
  db: Queryable,
  accountId: string,
): Promise<void> {
  if (!(await readPlan(plans, db, accountId))?.self_serve) throw new ConsoleError('plan_required');
}
