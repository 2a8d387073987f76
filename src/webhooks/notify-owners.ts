import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember, listMembers } from '../accounts/members.ts';
import { html } from '../http/html.ts';
import type { MailSender } from '../platform/mail.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { failingDaysMax, type PausedEndpoint } from './endpoint-health.ts';
import { findEndpoint } from './manage-endpoints.ts';

/** One e-mail to one owner, so that a retry repeats no other e-mail. Retries have the same `messageId`. */
export interface PausedEndpointJob {
  name: 'tell-owner';
  messageId: string;
  endpointId: string;
  memberId: string;
}

export interface NoticeQueue {
  enqueue(tx: Tx, jobs: PausedEndpointJob[]): Promise<void>;
}

/** Enqueues an e-mail to each owner of a paused endpoint, in the transaction that pauses it. */
export async function enqueueNotices(world: World, tx: Tx, queue: NoticeQueue, paused: PausedEndpoint): Promise<void> {
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
  const outcome = await mail.send({
    id: job.messageId,
    to: { name: '', address: member.email },
    ...notice(accountName, endpoint.url, `${origin}/settings/webhooks/${endpoint.id}`),
  });
  if (outcome.kind === 'unavailable') throw new Error(`an owner could not be notified yet: ${outcome.reason}`);
}

function notice(accountName: string, url: string, link: string) {
  // The path and query may hold a token of the receiver's.
  const receiver = new URL(url).origin;
  const paragraphs = [
    `The webhook endpoint at ${receiver} of ${accountName} has not accepted a single delivery for ` +
      `${failingDaysMax} days, so it was paused.`,
    'Nothing is lost: events are still recorded for it, and are delivered when you resume it. Look at its last attempts ' +
      'to see how it fails, fix the receiver, and resume the endpoint:',
  ];
  return {
    subject: `A webhook endpoint of ${accountName} was paused`,
    text: `${paragraphs.join('\n\n')}\n\n${link}\n`,
    html: html`<!doctype html><html lang="en"><body>${paragraphs.map((text) => html`<p>${text}</p>`)}
<p><a href="${link}">${link}</a></p></body></html>`.toString(),
  };
}
