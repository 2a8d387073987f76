import { findMember, isOnlyOwner, lockMembers, type Member } from '../../accounts/members.ts';
import { Refusal } from '../../errors.ts';
import type { Database, Tx } from '../../postgres/database.ts';
import { findSso } from '../../sso/connection.ts';
import { hasWayIn } from '../../sso/way-in.ts';
import { findCompany } from '../account/find-company.ts';
import { byId } from '../core/by-id.ts';

interface Change {
  /** Whether the member already is what they should become. Then nothing is changed. */
  isDone(member: Member): boolean;
  make(tx: Tx, member: Member): Promise<Member | null>;
}

/**
 * Changes or removes a member. Throws a `Refusal` if a company in use would lose its last owner, or its last owner who gets in
 * without single sign-on while it opens only with that.
 */
export async function changeMember(db: Database, id: string, { isDone, make }: Change): Promise<Member> {
  const { account_id: accountId } = await byId('member', id, () => findMember(db, id));
  return db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    const member = await byId('member', id, async () => members.find((other) => other.id === id) ?? null);
    if (isDone(member)) return member;
    const isInUse = (await findCompany(tx, accountId)).removed_at === null;
    if (isInUse && isOnlyOwner(members, member))
      throw new Refusal('a company needs an owner: give another member the role first');
    const keepsWayIn =
      isInUse && (await findSso(tx, accountId))?.is_required === true && (await hasWayIn(tx, accountId));
    const changed = await byId('member', id, () => make(tx, member));
    if (keepsWayIn && !(await hasWayIn(tx, accountId))) throw new Refusal(lastWayIn);
    return changed;
  });
}

export const lastWayIn =
  'no other owner gets in without single sign-on: another owner must set up an authenticator or a passkey first';
