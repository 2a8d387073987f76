import { type Account, findAccount } from '../../accounts/manage-accounts.ts';
import { Refusal } from '../../errors.ts';
import type { Queryable } from '../../postgres/database.ts';
import { byId } from '../core/by-id.ts';

/** Finds a company by id. It may be a removed one. */
export function findCompany(db: Queryable, id: string): Promise<Account> {
  return byId('account', id, () => findAccount(db, id));
}

/** Finds a company by id. Refuses a removed one. */
export async function findActiveCompany(db: Queryable, id: string): Promise<Account> {
  const found = await findCompany(db, id);
  if (found.removed_at !== null) throw new Refusal('the account was removed: nothing is made or sent for it any more');
  return found;
}
