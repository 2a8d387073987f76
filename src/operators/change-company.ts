import { auditAccount } from '../accounts/account-audit.ts';
import { type Account, addCredits, findAccount, setPlan } from '../accounts/manage-accounts.ts';
import type { Tier } from '../accounts/plans.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { logOperator } from './operator-log.ts';

/** Which operator makes a change. `personId` null: on the command line. */
export interface ByOperator {
  personId: string | null;
}

/** Sets the plan of a company. Null: there is no such company. */
export async function changePlan(
  world: World,
  tx: Tx,
  accountId: string,
  tier: Tier,
  { personId }: ByOperator,
): Promise<Account | null> {
  const before = await lockCompany(tx, accountId);
  if (before === null || before.tier === tier) return before;
  const changed = await setPlan(tx, accountId, tier);
  const entry = { accountId, action: 'plan_changed', detail: { from: before.tier, to: tier } } as const;
  // The company is told that the operator did it, and not which one.
  await auditAccount(world, tx, { ...entry, personId: null });
  await logOperator(world, tx, { ...entry, personId });
  return changed;
}

/**
 * Adds credits to a company. A request that was made already, known by its `requestId`, adds none. Null: there is no such company.
 * Throws a `Refusal` if the balance would be too large.
 */
export async function grantCredits(
  world: World,
  tx: Tx,
  accountId: string,
  amount: number,
  { personId, requestId }: ByOperator & { requestId?: string },
): Promise<Account | null> {
  const before = await lockCompany(tx, accountId);
  if (before === null) return null;
  const entry = { personId, action: 'credits_added', accountId, detail: { amount } } as const;
  const isNew = await logOperator(world, tx, { ...entry, ...(requestId !== undefined && { requestId }) });
  if (!isNew) return before;
  if (!Number.isSafeInteger(before.credits + amount)) throw new Refusal('the balance would be too large');
  return addCredits(world, tx, accountId, amount);
}

/** Locks the balance and the plan of a company and reads it as it is now. */
async function lockCompany(tx: Tx, accountId: string): Promise<Account | null> {
  await tx.query({
    name: 'lock_company',
    text: 'select from accounts where id = $1 for no key update',
    values: [accountId],
  });
  return findAccount(tx, accountId);
}
