import { browserDaysMax } from '../identity/known-browsers.ts';
import type { Queryable } from '../postgres/database.ts';
import { readLowest } from './read-first.ts';
import { batchMax, batchOf, keptDays, type RetainedData } from './retained-data.ts';

/** Tables of what expires, and the column that says when. Each column has an index. */
const expiring = {
  sessions: 'expires_at',
  sign_in_links: 'expires_at',
  passkey_challenges: 'expires_at',
  sso_authorizations: 'expires_at',
  guess_counters: 'ends_at',
  verifications: 'expires_at',
} as const;

/** Codes are counted for an hour, longer than they are valid. */
const codesDaysMin = 1;

/** A drawing of a phone is fetched at once, or never. */
const drawingDays = 0;

/** Visitors of public links whose code has expired. They can ask for a new one until then. */
const visitDays = 1;

/** Sessions, links, codes and counters that have expired, and browsers that nobody signs in with any more. */
export function expiredSessions(db: Queryable, days: number): RetainedData[] {
  return [
    ...Object.entries(expiring).map(([table, column]) => expired(db, table, column, days)),
    expired(db, 'verification_codes', 'expires_at', Math.max(days, codesDaysMin)),
    expired(db, 'phone_drawings', 'expires_at', drawingDays),
    expired(db, 'public_link_visits', 'expires_at', visitDays),
    expired(db, 'known_browsers', 'last_seen_at', browserDaysMax),
  ];
}

function expired(db: Queryable, table: string, column: string, days: number): RetainedData {
  return {
    name: table,
    before: keptDays(days),
    removeBatch: async (before) => {
      const removed = await db.query({
        name: `remove_expired_${table}`,
        text: `delete from ${table} where ctid = any (array(
                 select ctid from ${table} where ${column} <= $1 order by ${column} limit $2
                 for update skip locked)) returning 1`,
        values: [before, batchMax],
      });
      return batchOf(removed.length);
    },
    oldest: () => readLowest(db, table, column),
  };
}
