import { firstIdAt } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import { rateWindowAt } from './rate-window.ts';

/** One UTC day of an account. */
export interface UsageDay {
  /** `2026-03-10` */
  date: string;
  /** API requests; of these refused (4xx) and failed (5xx). */
  requests: number;
  refused: number;
  failed: number;
  import_files: number;
  import_bytes: number;
  credits: number;
}

const dayMs = 86_400_000;

/** The last days, the oldest first and today last; a day on which nothing was used is there with zeros. */
export async function readUsageDays(db: Queryable, accountId: string, now: Date, days: number): Promise<UsageDay[]> {
  const today = Math.floor(now.getTime() / dayMs);
  return db.query<UsageDay>({
    name: 'read_usage_days',
    text: `select to_char(date '1970-01-01' + d.day, 'YYYY-MM-DD') as date, coalesce(u.requests, 0) as requests,
             coalesce(u.refused, 0) as refused, coalesce(u.failed, 0) as failed,
             coalesce(u.import_files, 0) as import_files, coalesce(u.import_bytes, 0) as import_bytes,
             coalesce(c.credits, 0)::bigint as credits
           from generate_series($2::integer, $3::integer) as d (day)
           left join usage_days u on u.account_id = $1 and u.day = d.day
           left join (
             select floor(extract(epoch from created_at) / 86400) as day, -sum(amount) as credits
             from credit_entries where account_id = $1 and amount < 0 and id >= $4 group by 1
           ) c on c.day = d.day
           order by d.day`,
    values: [accountId, today - days + 1, today, firstIdAt(new Date((today - days + 1) * dayMs))],
  });
}

/** Units of the rate budgets that are spent in the current minute and day. */
export async function readRateUse(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<{ minute_used: number; day_used: number }> {
  const { minute, day } = rateWindowAt(now);
  const rows = await db.query<{ minute_used: number; day_used: number }>({
    name: 'read_rate_use',
    text: `select case when minute = $2 then minute_used else 0 end as minute_used,
             case when day = $3 then day_used else 0 end as day_used
           from rate_usage where account_id = $1`,
    values: [accountId, minute, day],
  });
  return rows[0] ?? { minute_used: 0, day_used: 0 };
}
