import type { PlanTable } from '../accounts/plans.ts';
import type { KeyMode } from '../keys/api-key.ts';
import type { Scope } from '../keys/scopes.ts';
import type { Queryable } from '../postgres/database.ts';
import type { RateWindow } from '../usage/rate-window.ts';

/** An existing key, with its account's budget before this statement and the units granted to the account. */
export interface AdmissionRow {
  hash: Buffer;
  key_id: string;
  mode: KeyMode;
  scopes: Scope[];
  revoked: boolean;
  expired: boolean;
  account_id: string;
  tier: string;
  removed: boolean;
  minute: number | null;
  minute_used_before: number;
  day: number | null;
  day_used_before: number;
  granted: number;
  /** False when the lock on the budget came after `msLeft`. Nothing was granted then. */
  in_time: boolean;
}

/**
 * Looks up the keys and takes units from the budgets of their accounts, exactly, over all processes. Rows are locked in the
 * order of their ids, so that two batches never deadlock. Refused requests take nothing. Nothing is taken after `msLeft`,
 * because the requests have been answered by then. A process whose clock is up to two minutes late counts in the window
 * that is already open.
 */
export async function admitKeys(
  db: Queryable,
  demand: Array<{ hash: Buffer; units: number }>,
  now: Date,
  window: RateWindow,
  plans: PlanTable,
  msLeft: number,
): Promise<AdmissionRow[]> {
  const table = Object.entries(plans);
  return db.query<AdmissionRow>({
    name: 'admit_keys',
    text: `
      with presented as (
        select k.hash, k.id as key_id, k.mode, k.scopes, k.account_id, d.units,
               k.revoked_at is not null as revoked,
               k.expires_at is not null and k.expires_at <= $3 as expired,
               a.tier, a.removed_at is not null as removed,
               coalesce(p.api, false) as api, coalesce(p.burst, 0) as burst, coalesce(p.daily, 0) as daily
        from unnest($1::bytea[], $2::int[]) as d (hash, units)
        join api_keys k on k.hash = d.hash
        join accounts a on a.id = k.account_id
        left join unnest($6::text[], $7::bool[], $8::int[], $9::int[]) as p (tier, api, burst, daily) on p.tier = a.tier
      ),
      demand as (
        select account_id, max(burst) as burst, max(daily) as daily,
               coalesce(sum(units) filter (where not revoked and not expired and not removed and api), 0)::int as units
        from presented group by account_id
      ),
      locked as (
        select u.account_id, d.units, d.burst, d.daily,
               case when u.minute - $4 between 1 and 2 then u.minute else $4 end as minute,
               case when u.minute = $4 or u.minute - $4 between 1 and 2 then u.minute_used else 0 end as minute_used,
               case when u.day - $5 = 1 then u.day else $5 end as day,
               case when u.day - $5 between 0 and 1 then u.day_used else 0 end as day_used
        from rate_usage u join demand d on d.account_id = u.account_id
        order by u.account_id for update of u
      ),
      timed as (
        select l.*, clock_timestamp() - transaction_timestamp() < $10::int * interval '1 ms' as in_time from locked l
      ),
      granted as (
        select t.*,
               case when in_time then greatest(0, least(units, burst - minute_used, daily - day_used)) else 0 end as granted
        from timed t
      ),
      spent as (
        update rate_usage u
        set minute = g.minute, minute_used = g.minute_used + g.granted, day = g.day, day_used = g.day_used + g.granted
        from granted g where u.account_id = g.account_id and g.granted > 0
      )
      select p.hash, p.key_id, p.mode, p.scopes, p.revoked, p.expired, p.account_id, p.tier, p.removed,
             g.minute, coalesce(g.minute_used, 0) as minute_used_before,
             g.day, coalesce(g.day_used, 0) as day_used_before, coalesce(g.granted, 0) as granted,
             coalesce(g.in_time, true) as in_time
      from presented p left join granted g on g.account_id = p.account_id`,
    values: [
      demand.map((entry) => entry.hash),
      demand.map((entry) => entry.units),
      now,
      window.minute,
      window.day,
      table.map(([tier]) => tier),
      table.map(([, plan]) => plan.api),
      table.map(([, plan]) => plan.burst_per_minute),
      table.map(([, plan]) => plan.requests_per_day),
      Math.max(0, Math.floor(msLeft)),
    ],
  });
}

/** Returns units granted to requests that had been answered meanwhile, unless their window is over. */
export async function giveBack(db: Queryable, row: AdmissionRow, units: number): Promise<void> {
  await db.query({
    name: 'give_back',
    text: `
      update rate_usage
      set minute_used = case when minute = $2 then greatest(0, minute_used - $4) else minute_used end,
          day_used = case when day = $3 then greatest(0, day_used - $4) else day_used end
      where account_id = $1`,
    values: [row.account_id, row.minute, row.day, units],
  });
}

/** Reads only the key's row, to distinguish a failed key look-up from a company that cannot be resolved. */
export async function findKeyAccount(db: Queryable, hash: Buffer): Promise<string | null> {
  const rows = await db.query<{ account_id: string }>({
    name: 'find_key_account',
    text: 'select account_id from api_keys where hash = $1',
    values: [hash],
  });
  return rows[0]?.account_id ?? null;
}
