import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { drawToken, hashToken } from './token.ts';

/** Browsers keep a cookie for 400 days at most. */
export const browserDaysMax = 400;

export interface KnownBrowser {
  /** For the browser's cookie. */
  token: string;
  hash: Buffer;
  /** The person has never signed in with this browser, but has with another. */
  isNew: boolean;
}

/** Records that a person signs in with a browser. `held`: the token in its cookie, if it has one. */
export async function recordBrowser(
  world: World,
  tx: Tx,
  personId: string,
  held: string | null,
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
    text: `insert into known_browsers (person_id, token_hash, first_seen_at, last_seen_at) values ($1, $2, $3, $3)
           on conflict (person_id, token_hash) do update set last_seen_at = $3 returning xmax = 0 as is_new`,
    values: [personId, hash, now],
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
