import { isSameEmail } from '../platform/canonical-email.ts';
import type { Queryable } from '../postgres/database.ts';

/** Finds visitors of public links, of one company or of all, who entered this address and not their code yet. */
export async function findVisits(db: Queryable, email: string, accountId: string | null): Promise<Buffer[]> {
  // Visits are deleted a day after their code has expired, so they are few.
  const visits = await db.query<{ token_hash: Buffer; email: string }>({
    name: 'visits_to_erase',
    text: `select token_hash, email from public_link_visits
           where email is not null and ($1::uuid is null or account_id = $1)`,
    values: [accountId],
  });
  return visits.filter((visit) => isSameEmail(visit.email, email)).map(({ token_hash }) => token_hash);
}

/** Deletes these visits, so that their codes make no document. Keeps one that has made its document meanwhile. Returns how many. */
export async function eraseVisits(db: Queryable, email: string, accountId: string | null): Promise<number> {
  const erased = await db.query({
    name: 'erase_visits',
    text: 'delete from public_link_visits where token_hash = any ($1::bytea[]) and email is not null returning 1',
    values: [await findVisits(db, email, accountId)],
  });
  return erased.length;
}
