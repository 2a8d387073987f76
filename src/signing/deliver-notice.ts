import { findNotice, recordFailedNoticeAttempt, settleNotice } from '../messages/document-notice.ts';
import { recordAttempt } from '../messages/record-attempt.ts';
import type { UnsubscribeLinks } from '../messages/unsubscribe-links.ts';
import { inSpan } from '../platform/tracing/spans.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { cutOff, type Delivery } from './deliver-message.ts';
import { type WrittenNotice, writeNotice } from './write-notice.ts';

export interface NoticeDelivery extends Delivery {
  unsubscribeLinks: UnsubscribeLinks;
}

/**
 * Makes one attempt to deliver a notice, like `deliverMessage`. A notice whose addressee is gone, or may not see the document
 * any more, is cancelled.
 */
export async function deliverNotice(
  world: World,
  db: Database,
  delivery: NoticeDelivery,
  { accountId, noticeId }: { accountId: string; noticeId: string },
  isLastAttempt: boolean,
): Promise<void> {
  const notice = await findNotice(db, accountId, noticeId);
  if (notice === null || notice.status !== 'pending') return;
  const written = await writeNotice(db, notice, {
    origin: delivery.origin(),
    unsubscribeLinks: delivery.unsubscribeLinks,
  });
  if (written === null) return settleNotice(db, notice, { status: 'cancelled' }, world.clock.now());

  const outcome = await send(delivery, notice.id, written);
  delivery.onOutcome(outcome.kind);
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

/** Records the failure of a notice that no job will try again, like `failMessage`. */
export async function failNotice(
  world: World,
  db: Database,
  { accountId, noticeId }: { accountId: string; noticeId: string },
): Promise<void> {
  const notice = await findNotice(db, accountId, noticeId);
  if (notice === null || notice.status !== 'pending') return;
  world.log.warn('a notice could not be delivered', { notice_id: notice.id, kind: notice.kind });
  await settleNotice(db, notice, { status: 'failed', error: notice.last_error ?? cutOff }, world.clock.now());
}

function send({ mail, sms }: Delivery, id: string, written: WrittenNotice) {
  const attributes = { 'countersign.message_id': id };
  return inSpan(`send-${written.channel}`, { kind: 'client', attributes }, () => {
    if (written.channel === 'sms') return sms.send({ id, to: written.to, text: written.text });
    const { to, envelope, email, unsubscribe = null } = written;
    return mail.send({ id, to, ...envelope, ...email, unsubscribe });
  });
}
