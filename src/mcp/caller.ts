import type { Account, Countersign } from '../../packages/client/src/index.ts';
import type { PlanTable } from '../accounts/plans.ts';

/** The API key that a connection uses, and what it may do. */
export interface Caller {
  /** Tells keys apart without holding one: the SHA-256 of the key. */
  id: string;
  client: Countersign;
  account: Account;
}

export function mayUse({ account }: Caller, scope: string | null): boolean {
  return scope === null || (account.scopes as readonly string[]).includes(scope);
}

/** Whether imports from a drive or a file store are open to the key. A plan that this version does not know may use them. */
export function mayImportFiles({ account }: Caller, plans: PlanTable): boolean {
  const plan = Object.hasOwn(plans, account.tier) ? plans[account.tier as keyof PlanTable] : null;
  return account.mode === 'live' && plan?.cloud_import !== false;
}
