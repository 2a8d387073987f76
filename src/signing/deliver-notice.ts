import { readAccountName } from '../accounts/manage-accounts.ts';
import type { Document } from '../documents/document.ts';
import { findSendingMember } from '../documents/find-sender.ts';
import { findDocumentInAccount, listRecipients } from '../documents/queries.ts';
import {
  type DocumentNotice,
  findNotice,
  recordFailedNoticeAttempt,
  settleNotice,
} from '../messages/document-notice.ts';
import type { Email } from '../messages/email.ts';
import { recordAttempt } from '../messages/record-attempt.ts';
import { type SenderNoticeView, senderNotice } from '../messages/sender-notices.ts';
import { inSpan } from '../platform/tracing/spans.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import type { Delivery } from './deliver-message.ts';

/**
 * Makes one attempt to deliver a notice, like `deliverMessage`. A notice whose addressee is gone, or may not see the document
 * any more, is cancelled.
 */
export async function deliverNotice(
  world: World,
  db: Database,
  { mail, origin, onOutcome }: Delivery,
  { accountId, noticeId }: { accountId: string; noticeId: string },
  isLastAttempt: boolean,
): Promise<void> {
  const notice = await findNotice(db, accountId, noticeId);
  if (notice === null || notice.status !== 'pending') return;
  const mailed = await writeMail(db, notice, origin());
  if (mailed === null) return settleNotice(db, notice, { status: 'cancelled' }, world.clock.now());

  const attributes = { 'countersign.message_id': notice.id };
  const outcome = await inSpan('send-email', { kind: 'client', attributes }, () =>
    mail.send({ id: notice.id, to: { name: '', address: mailed.address }, ...mailed.email }),
  );
  onOutcome(outcome.kind);
  const settle = (result: Parameters<typeof settleNotice>[2]) => settleNotice(db, notice, result, world.clock.now());
  await recordAttempt(
    outcome,
    isLastAttempt,
    {
      accepted: (providerId) => settle({ status: 'accepted', providerId }),
      failed: (reason) => {
        world.log.warn('a notice could not be delivered', { notice_id: notice.id, kind: notice.kind });
        return settle({ status: 'failed', error: reason });
      },
      unavailable: (reason) => recordFailedNoticeAttempt(db, notice, reason),
    },
    `notice ${notice.id}`,
  );
}

/** Null: there is nobody to notify. Members see restricted documents only as owners and admins. */
async function writeMail(
  db: Queryable,
  notice: DocumentNotice,
  origin: string,
): Promise<{ address: string; email: Email } | null> {
  const { account_id: accountId, document_id: documentId } = notice;
  const document = await findDocumentInAccount(db, accountId, documentId);
  if (document === null) return null;
  const [sender, event, accountName] = await Promise.all([
    findSendingMember(db, document),
    eventOf(db, notice, document),
    readAccountName(db, accountId),
  ]);
  const isRestricted = document.restricted_kind !== null;
  if (sender === null || event === null || (isRestricted && sender.role === 'member')) return null;
  const email = senderNotice({
    language: document.primary_language,
    accountName,
    document: { id: document.id, title: document.title, isRestricted },
    event,
    link: `${origin}/documents/${document.id}`,
  });
  return { address: sender.email, email };
}

async function eventOf(
  db: Queryable,
  { kind }: DocumentNotice,
  document: Document,
): Promise<SenderNoticeView['event'] | null> {
  if (kind === 'sender_completed') {
    return document.completed_at === null ? null : { kind: 'completed', at: new Date(document.completed_at) };
  }
  const recipients = await listRecipients(db, document.account_id, document.id);
  const decliner = recipients.find(({ status }) => status === 'declined');
  if (!decliner?.declined_at || decliner.declined_reason === null) return null;
  const { declined_at: at, display_name: name, declined_reason: reason } = decliner;
  return { kind: 'declined', at: new Date(at), name, reason };
}
