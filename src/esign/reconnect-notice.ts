import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers } from '../accounts/members.ts';
import type { JobQueue, ReconnectJob } from '../messages/job-queue.ts';
import { type Notice, sendNotice } from '../messages/notice.ts';
import type { MailSender } from '../platform/mail.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { findConnection } from './connection.ts';

/**
 * Enqueues an e-mail to each owner of an account whose connection the vendor refused. Runs once for each refusal. A vendor
 * import may be waiting, and the owners may not open the console. Those of a removed company get none.
 */
export async function enqueueReconnectMail(world: World, db: Database, queue: JobQueue): Promise<void> {
  await db.transaction(async (tx) => {
    const refused = await tx.query<{ account_id: string }>({
      name: 'take_refused_esign_connections',
      text: `update esign_connections set owners_asked_at = $1
             where refused_at is not null and owners_asked_at is null
               and exists (select from accounts where id = account_id and removed_at is null) returning account_id`,
      values: [world.clock.now()],
    });
    for (const { account_id: accountId } of refused) {
      const owners = (await listMembers(tx, accountId)).filter(({ role }) => role === 'owner');
      const jobs = owners.map(({ id }): ReconnectJob => {
        return { name: 'ask-owner', messageId: world.newId(), accountId, memberId: id };
      });
      if (jobs.length > 0) await queue.enqueue(tx, jobs);
    }
  });
}

/**
 * Sends one e-mail, if the connection is still refused. Throws if the mail server is unavailable, so that the queue
 * retries.
 */
export async function sendReconnectMail(
  db: Queryable,
  mail: MailSender,
  origin: string,
  job: ReconnectJob,
): Promise<void> {
  const [connection, member] = await Promise.all([findConnection(db, job.accountId), findMember(db, job.memberId)]);
  if (connection?.status !== 'reconnect_needed' || member?.role !== 'owner') return;
  const notice = noticeOf(await readAccountName(db, job.accountId), `${origin}/settings/connections`);
  await sendNotice(mail, { messageId: job.messageId, address: member.email }, notice);
}

function noticeOf(accountName: string, link: string): Notice {
  return {
    language: 'en',
    subject: `Connect ${accountName} to its e-signature vendor again`,
    paragraphs: [
      `The e-signature vendor does not accept the connection of ${accountName} any more.`,
      'Nothing is lost. Your import from there is paused. It continues when an owner connects the same account again:',
    ],
    link,
  };
}
