import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers } from '../accounts/members.ts';
import type { EndpointNoticeJob, JobQueue } from '../messages/job-queue.ts';
import { type Notice, sendNotice } from '../messages/notice.ts';
import type { MailSender } from '../platform/mail.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { type AilingEndpoint, failingDaysMax } from './endpoint-health.ts';
import { findEndpoint } from './manage-endpoints.ts';

/** Enqueues an e-mail to each owner of an endpoint that fails or was paused, in the transaction that found it. */
export async function enqueueNotices(
  world: World,
  tx: Tx,
  queue: JobQueue,
  { id: endpointId, account_id, state }: AilingEndpoint,
): Promise<void> {
  const owners = (await listMembers(tx, account_id)).filter(({ role }) => role === 'owner');
  if (owners.length === 0) return;
  await queue.enqueue(
    tx,
    owners.map(({ id }) => ({ name: 'tell-owner', messageId: world.newId(), endpointId, memberId: id, state })),
  );
}

/**
 * Sends the e-mail, unless the endpoint has recovered or was resumed meanwhile, or the member is no owner any more. Throws when
 * the mail server cannot be reached, so that the queue tries again.
 */
export async function notifyOwner(
  db: Queryable,
  mail: MailSender,
  origin: string,
  { messageId, endpointId, memberId, state = 'paused' }: EndpointNoticeJob,
): Promise<void> {
  const [endpoint, member] = await Promise.all([findEndpoint(db, endpointId), findMember(db, memberId)]);
  if (endpoint === null || member?.role !== 'owner') return;
  const facts = {
    accountName: await readAccountName(db, endpoint.account_id),
    // The path and query may contain a token of the receiver.
    receiver: new URL(endpoint.url).origin,
    link: `${origin}/settings/webhooks/${endpoint.id}`,
  };
  let notice: Notice;
  if (state === 'paused' && endpoint.paused_by === 'failures') notice = pausedNotice(facts);
  else if (state === 'failing' && endpoint.paused_at === null && endpoint.failing_since !== null)
    notice = failingNotice(facts, endpoint.failing_since);
  else return;
  await sendNotice(mail, { messageId, address: member.email }, notice);
}

interface Facts {
  accountName: string;
  receiver: string;
  link: string;
}

function failingNotice({ accountName, receiver, link }: Facts, failingSince: Timestamp): Notice {
  return {
    language: 'en',
    subject: `A webhook endpoint of ${accountName} is failing`,
    paragraphs: [
      `The webhook endpoint at ${receiver} of ${accountName} has not accepted a delivery since ` +
        `${formatTime(new Date(failingSince))}. After ${failingDaysMax} days without one, it is paused.`,
      'Each event is tried a limited number of times. Look at the last attempts to see how they fail, and fix the ' +
        'receiver. Then redeliver the events that it missed:',
    ],
    link,
  };
}

function formatTime(time: Date): string {
  return `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;
}

function pausedNotice({ accountName, receiver, link }: Facts): Notice {
  return {
    language: 'en',
    subject: `A webhook endpoint of ${accountName} was paused`,
    paragraphs: [
      `The webhook endpoint at ${receiver} of ${accountName} has not accepted a single delivery for ` +
        `${failingDaysMax} days, so it was paused.`,
      'Look at its last attempts to see how it fails, fix the receiver, and resume the endpoint. Events since the pause ' +
        'are delivered then. Those that failed before are not: redeliver them too.',
    ],
    link,
  };
}
