import { type Account, findAccount } from '../accounts/manage-accounts.ts';
import { Refusal } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';
import { byId } from './by-id.ts';

/** A company that somebody names, which may have been removed. */
export function findCompany(db: Queryable, id: string): Promise<Account> {
  return byId('account', id, () => findAccount(db, id));
}

/** One that something is made or sent for. Refuses one that was removed. */
export async function findActiveCompany(db: Queryable, id: string): Promise<Account> {
  const found = await findCompany(db, id);
  if (found.removed_at !== null) throw new Refusal('the account was removed: nothing is made or sent for it any more');
  return found;
}
