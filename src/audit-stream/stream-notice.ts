import { readAccountName } from '../accounts/manage-accounts.ts';
import { findMember } from '../accounts/members.ts';
import type { AuditStreamJob } from '../messages/job-queue.ts';
import { sendNotice } from '../messages/notice.ts';
import type { MailSender } from '../platform/mail.ts';
import { oneLine } from '../platform/mail-text.ts';
import type { Queryable } from '../postgres/database.ts';
import { findStream } from './manage-stream.ts';

/**
 * Tells an owner that the audit log could not be streamed for a day, unless that is over or they are no owner any more. Throws
 * when the mail server cannot be reached, so that the queue tries again.
 */
export async function sendStreamNotice(
  db: Queryable,
  mail: MailSender,
  origin: string,
  { messageId, accountId, memberId }: AuditStreamJob,
): Promise<void> {
  const [stream, member] = await Promise.all([findStream(db, accountId), findMember(db, memberId)]);
  if (stream === null || stream.failing_since === null || stream.paused_at !== null) return;
  if (member === null || member.account_id !== accountId || member.role !== 'owner') return;
  const name = oneLine(await readAccountName(db, accountId));
  const since = `${new Date(stream.failing_since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  await sendNotice(
    mail,
    { messageId, address: member.email },
    {
      language: 'en',
      subject: `The audit log of ${name} is not being streamed`,
      paragraphs: [
        `The destination of the audit log of ${name} has not accepted anything since ${since}. The last error: ${oneLine(stream.last_error ?? '')}.`,
        'Nothing is lost: entries wait and are sent in order when the destination accepts them again. Fix the destination, ' +
          'then see here whether it works:',
      ],
      link: `${origin}/settings/audit-log`,
    },
  );
}
