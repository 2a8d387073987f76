import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { drawToken, hashToken, isToken } from './token.ts';

/** Why a link was made: `signing` proves the address of a recipient, who need not be anybody's member. */
/** `demo` is the link that the first start prints, which may not be read by the operator alone: in a log, say. */
export type LinkPurpose = 'operator' | 'demo' | 'email' | 'invitation' | 'signing';

const minutesValid: Record<LinkPurpose, number> = {
  operator: 24 * 60, // printed where it may be read later
  demo: 60,
  invitation: 24 * 60,
  // Ten minutes: what NIST SP 800-63B and ASVS 6.5.5 allow a link that proves who one is.
  email: 10,
  signing: 10,
};

export const linkMinutes: Readonly<Record<LinkPurpose, number>> = minutesValid;

/** Returns the token of `/sign-in/<token>`. The link opens the company `accountId`; null: the person's first. */
export async function mintSignInLink(
  world: World,
  db: Queryable,
  personId: string,
  purpose: LinkPurpose,
  accountId: string | null = null,
): Promise<string> {
  const token = drawToken(world.random);
  const now = world.clock.now();
  await db.query({
    name: 'mint_sign_in_link',
    text: `insert into sign_in_links (token_hash, person_id, purpose, account_id, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [
      hashToken(token),
      personId,
      purpose,
      accountId,
      now,
      new Date(now.getTime() + minutesValid[purpose] * 60_000),
    ],
  });
  return token;
}

export function signInUrl(origin: string, token: string): string {
  return `${origin}/sign-in/${token}`;
}

/** Whom it would sign in. Null for one that was used, has run out or never was. Changes nothing. */
export async function peekSignInLink(
  world: World,
  db: Queryable,
  token: string,
  mayUseDemoLink: boolean,
): Promise<{ email: string } | null> {
  if (!isToken(token)) return null;
  const rows = await db.query<{ email: string }>({
    name: 'peek_sign_in_link',
    text: `select p.email from sign_in_links l join people p on p.id = l.person_id
           where l.token_hash = $1 and l.used_at is null and l.expires_at > $2 and (l.purpose <> 'demo' or $3)`,
    values: [hashToken(token), world.clock.now(), mayUseDemoLink],
  });
  return rows[0] ?? null;
}

/** Uses up a link. Returns the person it signs in and the company it opens, or null when it is not valid. */
export async function useSignInLink(
  world: World,
  tx: Tx,
  token: string,
  mayUseDemoLink: boolean,
): Promise<{ personId: string; accountId: string | null } | null> {
  if (!isToken(token)) return null;
  const rows = await tx.query<{ person_id: string; account_id: string | null }>({
    name: 'use_sign_in_link',
    text: `update sign_in_links set used_at = $2
           where token_hash = $1 and used_at is null and expires_at > $2 and (purpose <> 'demo' or $3)
           returning person_id, account_id`,
    values: [hashToken(token), world.clock.now(), mayUseDemoLink],
  });
  const [used] = rows;
  return used === undefined ? null : { personId: used.person_id, accountId: used.account_id };
}

/** When somebody else may have read one: after a new password, say. */
export async function endSignInLinks(tx: Queryable, personId: string): Promise<void> {
  await tx.query({
    name: 'end_sign_in_links',
    text: 'delete from sign_in_links where person_id = $1',
    values: [personId],
  });
}
