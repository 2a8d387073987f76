import { failDirect } from '../messages/direct-message.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { cutOff, failMessage } from './deliver-message.ts';
import { failNotice } from './deliver-notice.ts';

interface Undelivered {
  id: string;
  account_id: string;
  table: 'messages' | 'notices' | 'direct_messages';
}

/** A message and its job are stored together. The margin is for machines whose clocks differ. */
const ageMsMin = 15 * 60_000;
/** The queues of e-mails to members about documents. */
const toMembers = `'tell-of-review', 'tell-of-schedule', 'tell-of-bulk-send'`;

/**
 * Records the failure of messages, notices and e-mails to members that are pending although they have no job any more, so that
 * nobody waits for them. Their last attempt was cut off by a crash, or failed for another reason than the provider's; a job that
 * failed can be retried for a day, and is then deleted. Returns how many there were, at most 300.
 */
export async function failUndelivered(world: World, db: Database): Promise<number> {
  const before = new Date(world.clock.now().getTime() - ageMsMin);
  // Jobs of earlier versions have ids of their own.
  const undelivered = await db.query<Undelivered>({
    name: 'find_undelivered',
    text: `with known as not materialized (
             select id, name, data from jobs.job
             where name in ('deliver-message', 'deliver-notice', 'deliver-sms', ${toMembers})
               and state in ('created', 'retry', 'active', 'failed')
           ), without_job as (
             (select id, account_id, 'messages' as table from messages m where status = 'pending' and created_at < $1
                and not exists (select from known j where j.name in ('deliver-message', 'deliver-sms') and j.id = m.id) limit 100)
             union all
             (select id, account_id, 'notices' from notices n where status = 'pending' and created_at < $1
                and not exists (select from known j where j.name in ('deliver-notice', 'deliver-sms') and j.id = n.id) limit 100)
             union all
             (select id, account_id, 'direct_messages' from direct_messages d where status = 'pending' and created_at < $1
                and not exists (select from known j where j.name in (${toMembers}) and j.id = d.id) limit 100)
           )
           select * from without_job w
           where not exists (select from known j where coalesce(j.data ->> 'messageId', j.data ->> 'noticeId') = w.id::text)`,
    values: [before],
  });
  for (const { table, id, account_id: accountId } of undelivered) {
    if (table === 'messages') await failMessage(world, db, id);
    else if (table === 'notices') await failNotice(world, db, { accountId, noticeId: id });
    else await failDirect(world, db, id, cutOff);
  }
  return undelivered.length;
}
