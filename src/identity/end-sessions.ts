import type { Queryable } from '../postgres/database.ts';
import { hashToken } from './token.ts';

/** Ends a browser's session at any stage, before it signs in again or when it signs out. */
export async function endSessionOf(db: Queryable, token: string): Promise<void> {
  await db.query({
    name: 'end_session_of_token',
    text: 'delete from sessions where token_hash = $1',
    values: [hashToken(token)],
  });
}

/**
 * Ends a session. Its browser counts as new from then on. False when the person has no such session. `onlyAccountId`: one that the
 * provider of this company opened.
 */
export async function endSession(
  db: Queryable,
  personId: string,
  id: string,
  onlyAccountId: string | null = null,
): Promise<boolean> {
  const rows = await db.query({
    name: 'end_session',
    text: `with ended as (
             delete from sessions where person_id = $1 and id = $2 and ($3::uuid is null or only_account_id = $3)
             returning browser_hash
           ), forgotten as (
             delete from known_browsers where person_id = $1 and token_hash in (select browser_hash from ended)
           )
           select 1 from ended`,
    values: [personId, id, onlyAccountId],
  });
  return rows.length === 1;
}

/** Ends all sessions of a person except `exceptId`. Their browsers count as new from then on. Returns how many. */
export async function endSessions(db: Queryable, personId: string, exceptId: string | null): Promise<number> {
  const rows = await db.query({
    name: 'end_sessions',
    text: `with forgotten as (
             delete from known_browsers where person_id = $1 and token_hash not in (
               select browser_hash from sessions where person_id = $1 and id = $2 and browser_hash is not null
             )
           )
           delete from sessions where person_id = $1 and ($2::uuid is null or id <> $2) returning 1`,
    values: [personId, exceptId],
  });
  return rows.length;
}

/**
 * Ends the sessions of a person that the provider of a company opened, except `exceptId`. Their browsers count as new from then on.
 * Returns how many.
 */
export async function endSsoSessions(
  db: Queryable,
  personId: string,
  accountId: string,
  exceptId: string,
): Promise<number> {
  const rows = await db.query({
    name: 'end_sso_sessions',
    text: `with ended as (
             delete from sessions where person_id = $1 and only_account_id = $2 and id <> $3 returning browser_hash
           ), forgotten as (
             delete from known_browsers where person_id = $1
               and token_hash in (select browser_hash from ended)
               and token_hash is distinct from (select browser_hash from sessions where id = $3)
           )
           select 1 from ended`,
    values: [personId, accountId, exceptId],
  });
  return rows.length;
}
