import { canonicalEmail } from '../platform/canonical-email.ts';
import type { Queryable, Tx } from '../postgres/database.ts';

/**
 * Whether an owner of the company has an authenticator or a passkey, and so gets in when the provider of a company with only
 * single sign-on fails. `withoutEmail`: the address of a person who doesn't count.
 */
export async function hasWayIn(db: Queryable, accountId: string, withoutEmail = ''): Promise<boolean> {
  const found = await db.query({
    name: 'owner_with_factor',
    text: `select from members m join people p on p.canonical_email = m.canonical_email
           where m.account_id = $1 and m.role = 'owner' and m.canonical_email <> $2
             and (p.totp_confirmed_at is not null or exists (select from passkeys k where k.person_id = p.id)) limit 1`,
    values: [accountId, canonicalEmail(withoutEmail)],
  });
  return found.length > 0;
}

/** Locks the companies of a person, and returns those with only single sign-on that they own. */
export async function lockRequiringCompanies(tx: Tx, email: string): Promise<string[]> {
  const values = [canonicalEmail(email)];
  await tx.query({
    name: 'lock_companies_of_person',
    text: `select from accounts a join members m on m.account_id = a.id
           where m.canonical_email = $1 and a.removed_at is null order by a.id for no key update of a`,
    values,
  });
  // A statement of its own, which sees what was changed while it waited.
  const companies = await tx.query<{ id: string }>({
    name: 'companies_of_owner_that_require_sso',
    text: `select a.id from accounts a join members m on m.account_id = a.id
           where m.canonical_email = $1 and m.role = 'owner' and a.requires_sso and a.removed_at is null order by a.id`,
    values,
  });
  return companies.map(({ id }) => id);
}
