import type { Tx } from '../postgres/database.ts';
import type { AnswerPace } from './delivery.ts';

/** An endpoint is paused after this many days of failures without a success. */
export const failingDaysMax = 5;

/** A failure that comes a day or more after the last one does not pause an endpoint: the receiver may work again. */
const pauseGapHours = 24;

/** The owners are told after this many days of failures without a success. */
const warningDays = 1;

/** An endpoint whose owners are to be told that it was `paused`, or that it is `failing`. */
export interface AilingEndpoint {
  id: string;
  account_id: string;
  failing_since: string;
  state: 'failing' | 'paused';
}

/**
 * Keeps the streak of failures of each endpoint that a batch of attempts touched: a success ends it, a failure begins or
 * continues it, and two failures within a day pause the endpoint when it has lasted for five days. `paces` holds those that now
 * answer in another pace. Returns those paused just now, and once in each streak those that have failed for a day. Rows are
 * locked in the order of their ids, so that two workers do not wait for each other.
 */
export async function noteHealth(
  tx: Tx,
  failed: ReadonlySet<string>,
  recovered: ReadonlySet<string>,
  paces: ReadonlyMap<string, AnswerPace>,
  now: Date,
): Promise<AilingEndpoint[]> {
  if (failed.size === 0 && recovered.size === 0 && paces.size === 0) return [];
  return tx.query<AilingEndpoint>({
    name: 'note_endpoint_health',
    text: `with touched as (
             select id, paused_at is null as runs, id = any ($2::uuid[]) as recovers, id = any ($3::uuid[]) as fails, warned_at,
               failing_since as streak, last_failed_at > $1::timestamptz - interval '${pauseGapHours} hours' as fails_again
             from webhook_endpoints where id = any ($2::uuid[] || $3::uuid[] || $4::uuid[]) order by id for no key update
           ), judged as (
             select id, recovers, fails, streak,
               runs and fails and fails_again and streak <= $1::timestamptz - interval '${failingDaysMax} days' as pauses,
               runs and fails and streak <= $1::timestamptz - interval '${warningDays} days'
                 and (warned_at is null or warned_at < streak) as warns
             from touched
           ), noted as (
             update webhook_endpoints e
             set failing_since = case when fails then coalesce(streak, $1) when not recovers then failing_since end,
               last_failed_at = case when fails then $1::timestamptz when not recovers then last_failed_at end,
               answers = coalesce(pace.answers, e.answers),
               paused_at = case when pauses then $1 else paused_at end,
               paused_by = case when pauses then 'failures' else paused_by end,
               warned_at = case when warns or pauses then $1 else e.warned_at end
             from judged left join unnest($4::uuid[], $5::text[]) as pace (id, answers) on pace.id = judged.id
             where e.id = judged.id
             returning e.id, e.account_id, e.failing_since, pauses, warns
           )
           select id, account_id, failing_since, case when pauses then 'paused' else 'failing' end as state
           from noted where pauses or warns`,
    values: [now, [...recovered], [...failed], [...paces.keys()], [...paces.values()]],
  });
}
