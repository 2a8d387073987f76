import type { Tx } from '../postgres/database.ts';
import type { AnswerPace } from './delivery.ts';

/** An endpoint is paused after this many days of failures without a success. */
export const failingDaysMax = 5;

/** A day without an attempt ends a streak: two failures a week apart are not a week of failures. */
const streakGapHours = 24;

export interface PausedEndpoint {
  id: string;
  account_id: string;
  url: string;
  failing_since: string;
}

/**
 * Keeps the streak of failures of each endpoint that a batch of attempts touched: a success ends it, a failure begins or
 * goes on with it, and one of five days pauses the endpoint. `paces` holds those that now answer in another pace. Returns
 * those paused just now. Rows are locked in the order of their ids, so that two workers do not wait for each other.
 */
export async function noteHealth(
  tx: Tx,
  failed: ReadonlySet<string>,
  recovered: ReadonlySet<string>,
  paces: ReadonlyMap<string, AnswerPace>,
  now: Date,
): Promise<PausedEndpoint[]> {
  if (failed.size === 0 && recovered.size === 0 && paces.size === 0) return [];
  return tx.query<PausedEndpoint>({
    name: 'note_endpoint_health',
    text: `with touched as (
             select id, paused_at is null as runs, id = any ($2::uuid[]) as recovers, id = any ($3::uuid[]) as fails,
               case when last_failed_at > $1::timestamptz - interval '${streakGapHours} hours' then failing_since end as streak
             from webhook_endpoints where id = any ($2::uuid[] || $3::uuid[] || $4::uuid[]) order by id for no key update
           ), judged as (
             select id, recovers, fails, streak,
               runs and fails and streak <= $1::timestamptz - interval '${failingDaysMax} days' as pauses
             from touched
           ), noted as (
             update webhook_endpoints e
             set failing_since = case when fails then coalesce(streak, $1) when not recovers then failing_since end,
               last_failed_at = case when fails then $1::timestamptz when not recovers then last_failed_at end,
               answers = coalesce(pace.answers, e.answers),
               paused_at = case when pauses then $1 else paused_at end,
               paused_by = case when pauses then 'failures' else paused_by end
             from judged left join unnest($4::uuid[], $5::text[]) as pace (id, answers) on pace.id = judged.id
             where e.id = judged.id
             returning e.id, e.account_id, e.url, e.failing_since, pauses
           )
           select id, account_id, url, failing_since from noted where pauses`,
    values: [now, [...recovered], [...failed], [...paces.keys()], [...paces.values()]],
  });
}
