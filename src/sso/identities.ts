import { auditAccount } from '../accounts/account-audit.ts';
import { canonicalEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { lockSso } from './connection.ts';

/** Whom a provider means: its issuer and its name for the person, which never changes. */
export interface Subject {
  accountId: string;
  issuer: string;
  subject: string;
}

/** Returns the person that a subject was bound to. */
export async function findSubject(db: Queryable, { accountId, issuer, subject }: Subject): Promise<string | null> {
  const [row] = await db.query<{ person_id: string }>({
    name: 'find_sso_identity',
    text: 'select person_id from sso_identities where account_id = $1 and issuer = $2 and subject = $3',
    values: [accountId, issuer, subject],
  });
  return row?.person_id ?? null;
}

/** Whether the provider means this person with another subject already. */
export async function hasSubject(
  db: Queryable,
  { accountId, issuer }: Omit<Subject, 'subject'>,
  personId: string,
): Promise<boolean> {
  const rows = await db.query({
    name: 'has_sso_identity',
    text: 'select 1 from sso_identities where account_id = $1 and issuer = $2 and person_id = $3',
    values: [accountId, issuer, personId],
  });
  return rows.length === 1;
}

/** Binds a subject at the first sign-in, or to the person that it means now, and records each later sign-in. */
export async function recordSubject(
  world: World,
  tx: Tx,
  { accountId, issuer, subject }: Subject,
  personId: string,
): Promise<void> {
  await tx.query({
    name: 'record_sso_identity',
    text: `insert into sso_identities (account_id, issuer, subject, person_id, created_at, last_used_at)
           values ($1, $2, $3, $4, $5, $5)
           on conflict (account_id, issuer, subject) do update set person_id = $4, last_used_at = $5`,
    values: [accountId, issuer, subject, personId, world.clock.now()],
  });
}

/**
 * Unlinks someone from the company's provider and ends their sessions that it opened. The browsers of these count as new from then
 * on. The next sign-in binds by address again. False: they are not linked. `personId` is who does it, null for the operator.
 */
export async function unlink(
  world: World,
  tx: Tx,
  { accountId, email, personId }: { accountId: string; email: string; personId: string | null },
): Promise<boolean> {
  // A sign-in that is under way ends first.
  await lockSso(tx, accountId);
  const [unlinked] = await tx.query<{ email: string }>({
    name: 'unlink_sso_identity',
    text: `with person as (select id, email from people where canonical_email = $2), ended as (
             delete from sessions where only_account_id = $1 and person_id in (select id from person)
             returning person_id, browser_hash
           ), forgotten as (
             delete from known_browsers where (person_id, token_hash) in (select person_id, browser_hash from ended)
           )
           delete from sso_identities where account_id = $1 and person_id in (select id from person)
           returning (select email from person) as email`,
    values: [accountId, canonicalEmail(email)],
  });
  if (unlinked === undefined) return false;
  const detail = { email: unlinked.email };
  await auditAccount(world, tx, { accountId, personId, action: 'sso_unlinked', detail });
  return true;
}
