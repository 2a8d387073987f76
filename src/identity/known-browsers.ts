import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { drawToken, hashToken } from './token.ts';

/** Browsers keep a cookie for 400 days at most. */
export const browserDaysMax = 400;

export interface KnownBrowser {
  /** For the browser's cookie. */
  token: string;
  hash: Buffer;
  /**
   * The person has never signed in with this browser, but has with another. A sign-in that a company's provider vouched for makes
   * the browser known to such sign-ins only.
   */
  isNew: boolean;
}

/**
 * Records that a person signs in with a browser. `held`: the token in its cookie, if it has one. `isOwn`: the person has proven who
 * they are, and not a company's provider.
 */
export async function recordBrowser(
  world: World,
  tx: Tx,
  personId: string,
  held: string | null,
  isOwn: boolean,
): Promise<KnownBrowser> {
  const token = held !== null && (await isKnown(tx, held)) ? held : drawToken(world.random);
  const hash = hashToken(token);
  const now = world.clock.now();
  const [earlier] = await tx.query<{ has_signed_in: boolean }>({
    name: 'has_signed_in',
    text: `select exists (
             select from account_audit_entries where person_id = $1 and action = 'signed_in'
           ) as has_signed_in`,
    values: [personId],
  });
  const [row] = await tx.query<{ is_new: boolean }>({
    name: 'record_browser',
    text: `with before as (select is_own from known_browsers where person_id = $1 and token_hash = $2)
           insert into known_browsers as b (person_id, token_hash, first_seen_at, last_seen_at, is_own)
           values ($1, $2, $3, $3, $4)
           on conflict (person_id, token_hash) do update set last_seen_at = $3, is_own = b.is_own or $4
           returning not exists (select from before where is_own or not $4) as is_new`,
    values: [personId, hash, now, isOwn],
  });
  return { token, hash, isNew: row?.is_new === true && earlier?.has_signed_in === true };
}

/** One browser may belong to several people. A token that was not drawn here counts for nothing. */
async function isKnown(db: Queryable, token: string): Promise<boolean> {
  const rows = await db.query({
    name: 'is_known_browser',
    text: 'select 1 from known_browsers where token_hash = $1 limit 1',
    values: [hashToken(token)],
  });
  return rows.length === 1;
}
