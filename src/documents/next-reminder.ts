import { reachableRecipients } from '../messages/enqueue-messages.ts';
import type { Message } from '../messages/message.ts';
import type { Document } from './document.ts';
import { isSigner, type Recipient } from './recipient.ts';
import { expiryReminderStep } from './reminder-plan.ts';
import { isAwaiting } from './reminders.ts';

const dayMs = 86_400_000;

/**
 * Returns when the next scheduled reminder of a document is due. Null if none will be sent. The day is right as long as
 * nobody signs and no setting changes. `waitDays`: as for `remindRecipients`.
 */
export function nextReminderAt(
  document: Document,
  recipients: readonly Recipient[],
  messages: readonly Message[],
  waitDays: readonly number[],
  now: Date,
): Date | null {
  if (!isAwaiting(document, now)) return null;
  const awaited = reachableRecipients(document, recipients).filter(
    (recipient) => isSigner(recipient) && (recipient.status === 'sent' || recipient.status === 'viewed'),
  );
  if (awaited.length === 0) return null;
  const steps = awaited.map(({ id, holder }) =>
    nextStepAt(
      document,
      messages.filter((message) => message.recipient_id === id && message.holder === holder),
      waitDays,
    ),
  );
  const { expires_at, expiry_reminder_at } = document;
  const times = [...steps, expiry_reminder_at === null ? null : new Date(expiry_reminder_at)]
    .filter((time) => time !== null)
    .map((time) => Math.max(time.getTime(), now.getTime()));
  const next = Math.min(...times);
  return next < (expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)) ? new Date(next) : null;
}

/**
 * Returns when the next reminder of the series is due for the recipient of these messages. Null when the series is over. A
 * wait begins when a message has left; until then it is counted from when the message was enqueued.
 */
export function nextStepAt(
  { reminder_days }: Pick<Document, 'reminder_days'>,
  messages: readonly Message[],
  waitDays: readonly number[],
): Date | null {
  const series = messages.filter(
    ({ kind, step }) => kind !== 'completed_copy' && step !== null && step < expiryReminderStep,
  );
  const last = series.reduce<Message | null>((a, b) => (a === null || (b.step ?? 0) > (a.step ?? 0) ? b : a), null);
  if (last === null) return null;
  const days = (reminder_days ?? waitDays)[last.step ?? 0];
  return days === undefined ? null : new Date(Date.parse(last.settled_at ?? last.created_at) + days * dayMs);
}
