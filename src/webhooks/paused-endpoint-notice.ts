import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers } from '../accounts/members.ts';
import type { JobQueue, PausedEndpointJob } from '../messages/job-queue.ts';
import { type Notice, sendNotice } from '../messages/notice.ts';
import type { MailSender } from '../platform/mail.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { failingDaysMax, type PausedEndpoint } from './endpoint-health.ts';
import { findEndpoint } from './manage-endpoints.ts';

/** Enqueues an e-mail to each owner of a paused endpoint, in the transaction that pauses it. */
export async function enqueueNotices(world: World, tx: Tx, queue: JobQueue, paused: PausedEndpoint): Promise<void> {
  const owners = (await listMembers(tx, paused.account_id)).filter(({ role }) => role === 'owner');
  if (owners.length === 0) return;
  await queue.enqueue(
    tx,
    owners.map(({ id }) => ({
      name: 'tell-owner',
      messageId: world.newId(),
      endpointId: paused.id,
      memberId: id,
    })),
  );
}

/** Sends the e-mail. Throws when the mail server cannot be reached, so that the queue tries again. */
export async function notifyOwner(
  db: Queryable,
  mail: MailSender,
  origin: string,
  job: PausedEndpointJob,
): Promise<void> {
  const [endpoint, member] = await Promise.all([findEndpoint(db, job.endpointId), findMember(db, job.memberId)]);
  if (endpoint?.paused_by !== 'failures' || member === null) return;
  const accountName = await readAccountName(db, endpoint.account_id);
  const notice = noticeOf(accountName, endpoint.url, `${origin}/settings/webhooks/${endpoint.id}`);
  await sendNotice(mail, { messageId: job.messageId, address: member.email }, notice);
}

function noticeOf(accountName: string, url: string, link: string): Notice {
  // The path and query may contain a token of the receiver.
  const receiver = new URL(url).origin;
  return {
    language: 'en',
    subject: `A webhook endpoint of ${accountName} was paused`,
    paragraphs: [
      `The webhook endpoint at ${receiver} of ${accountName} has not accepted a single delivery for ` +
        `${failingDaysMax} days, so it was paused.`,
      'Nothing is lost: events are still recorded for it, and are delivered when you resume it. Look at its last attempts ' +
        'to see how it fails, fix the receiver, and resume the endpoint:',
    ],
    link,
  };
}
