import type { PlanTable } from '../../accounts/plans.ts';
import { readPlan } from '../../accounts/read-plan.ts';
import type { Queryable } from '../../postgres/database.ts';
import { ConsoleError } from './console-error.ts';

/** Throws `plan_required` unless the plan includes creating keys and webhooks (Team and above). */
export async function assertSelfServe(
  { plans }: { plans: PlanTable },
  db: Queryable,
  accountId: string,
): Promise<void> {
  if (!(await readPlan(db, plans, accountId))?.self_serve) throw new ConsoleError('plan_required');
}
