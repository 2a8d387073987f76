import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { failMessage } from './deliver-message.ts';
import { failNotice } from './deliver-notice.ts';

interface Undelivered {
  id: string;
  account_id: string;
  is_notice: boolean;
}

/** A message and its job are stored together. The margin is for machines whose clocks differ. */
const ageMsMin = 15 * 60_000;

/**
 * Records the failure of messages and notices that are pending although they have no job any more, so that nobody waits for them.
 * Their last attempt was cut off by a crash, or failed for another reason than the provider's; a job that failed can be retried for a
 * day, and is then deleted. Returns how many there were, at most 200.
 */
export async function failUndelivered(world: World, db: Database): Promise<number> {
  const before = new Date(world.clock.now().getTime() - ageMsMin);
  // Jobs of earlier versions have ids of their own.
  const undelivered = await db.query<Undelivered>({
    name: 'find_undelivered',
    text: `with known as not materialized (
             select id, name, data from jobs.job where name in ('deliver-message', 'deliver-notice', 'deliver-sms')
               and state in ('created', 'retry', 'active', 'failed')
           ), without_job as (
             (select id, account_id, false as is_notice from messages m where status = 'pending' and created_at < $1
                and not exists (select from known j where j.name in ('deliver-message', 'deliver-sms') and j.id = m.id) limit 100)
             union all
             (select id, account_id, true from notices n where status = 'pending' and created_at < $1
                and not exists (select from known j where j.name in ('deliver-notice', 'deliver-sms') and j.id = n.id) limit 100)
           )
           select * from without_job w
           where not exists (select from known j where coalesce(j.data ->> 'messageId', j.data ->> 'noticeId') = w.id::text)`,
    values: [before],
  });
  for (const { id, account_id: accountId, is_notice: isNotice } of undelivered) {
    await (isNotice ? failNotice(world, db, { accountId, noticeId: id }) : failMessage(world, db, id));
  }
  return undelivered.length;
}
