import { readAccountName } from '../accounts/manage-accounts.ts';
import { linkOrigin, signingOrigin } from '../custom-domain/link-origin.ts';
import { appendAudit } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { findSendingMember } from '../documents/find-sender.ts';
import { notifyReachedLate } from '../documents/notify-recipients.ts';
import { findDocument, listRecipients, lockDocument } from '../documents/queries.ts';
import { isDone, type Recipient, recipientKind } from '../documents/recipient.ts';
import { isAwaiting } from '../documents/reminders.ts';
import type { Email } from '../messages/email.ts';
import type { MessageKind } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import { readMailBrand } from '../messages/mail-brand.ts';
import { cancelMessage, findMessage, type Message, recordFailedAttempt, settleMessage } from '../messages/message.ts';
import {
  completedCopy,
  completedCopySms,
  type MessageView,
  signatureReminder,
  signatureReminderSms,
  signatureRequest,
  signatureRequestSms,
} from '../messages/recipient-messages.ts';
import { recordAttempt } from '../messages/record-attempt.ts';
import { addLogContext } from '../platform/log-context.ts';
import type { DeliveryOutcome, MailSender } from '../platform/mail.ts';
import type { SmsSender } from '../platform/sms.ts';
import { inSpan } from '../platform/tracing/spans.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { mailedName } from './mailed-name.ts';
import { mintSigningLink } from './signing-link.ts';

export interface Delivery {
  mail: MailSender;
  sms: SmsSender;
  /** PUBLIC_URL. Null: companies have no own hosts. */
  publicUrl: string | null;
  /** Returns the origin of the links, for example `https://sign.example.com`. */
  origin: () => string;
  /** Receives the outcome of each delivery, for the metrics. */
  onOutcome: (outcome: DeliveryOutcome['kind']) => void;
}

/** The wording of each kind of message, by channel. */
const wordings: Record<MessageKind, { email(view: MessageView): Email; sms(view: MessageView): { text: string } }> = {
  signature_request: { email: signatureRequest, sms: signatureRequestSms },
  reminder: { email: signatureReminder, sms: signatureReminderSms },
  completed_copy: { email: completedCopy, sms: completedCopySms },
};

interface LoadedMessage {
  message: Message;
  document: Document;
  recipient: Recipient;
  accountName: string;
  /** The address of the member who sent the document. */
  senderEmail: string | null;
}

/**
 * Makes one attempt to deliver a message. No transaction is open while the provider is called. An accepted message is
 * never sent again, also when it was cancelled meanwhile, and a refused one fails for good. If the provider is unavailable
 * it throws, so that the queue tries again. After the last attempt it records the failure, which the sender sees.
 */
export async function deliverMessage(
  world: World,
  db: Database,
  queue: JobQueue,
  delivery: Delivery,
  messageId: string,
  isLastAttempt: boolean,
): Promise<void> {
  const loaded = await loadMessage(world, db, messageId);
  if (loaded === null) return;

  const outcome = await handOver(world, db, delivery, loaded);
  delivery.onOutcome(outcome.kind);
  await recordAttempt(
    outcome,
    isLastAttempt,
    {
      accepted: (providerId) => recordAccepted(world, db, queue, loaded, providerId),
      failed: (reason) => recordFailure(world, db, loaded, reason),
      unavailable: (reason) => recordFailedAttempt(db, messageId, reason),
    },
    `message ${messageId}`,
  );
}

/**
 * Records the failure of a message that no job will try again. Does nothing if the message is settled, and cancels it if it is no
 * longer needed.
 */
export async function failMessage(world: World, db: Database, messageId: string): Promise<void> {
  const loaded = await loadMessage(world, db, messageId);
  if (loaded === null) return cancelMessage(db, messageId, world.clock.now());
  await recordFailure(world, db, loaded, loaded.message.last_error ?? cutOff);
}

/** The recorded reason if no attempt left one. */
export const cutOff = 'the attempts to deliver it were cut off';

/** Returns null if the message was sent already, or is no longer needed and has been cancelled. */
async function loadMessage(world: World, db: Database, messageId: string): Promise<LoadedMessage | null> {
  const message = await findMessage(db, messageId);
  if (message === null || message.status !== 'pending') return null;
  addLogContext({ account_id: message.account_id });
  const [document, recipients, accountName, sender] = await Promise.all([
    findDocument(db, message.document_id),
    listRecipients(db, message.account_id, message.document_id),
    readAccountName(db, message.account_id),
    findSendingMember(db, { id: message.document_id, account_id: message.account_id }),
  ]);
  // A message to the previous person was cancelled when the recipient was reassigned.
  const recipient = recipients.find(({ id, holder }) => id === message.recipient_id && holder === message.holder);
  if (document === null || recipient === undefined) return null;
  const now = world.clock.now();
  const stillAsked = isAwaiting(document, now) && !isDone(recipient);
  // The recipient was erased since.
  const isErased = (message.channel === 'sms' ? recipient.phone : recipient.email) === null;
  if (isErased || (message.kind !== 'completed_copy' && !stillAsked)) {
    await cancelMessage(db, messageId, now);
    return null;
  }
  return { message, document, recipient, accountName, senderEmail: sender?.email ?? null };
}

async function handOver(
  world: World,
  db: Database,
  delivery: Delivery,
  loaded: LoadedMessage,
): Promise<DeliveryOutcome> {
  const { message, document, recipient } = loaded;
  const ours = delivery.origin();
  const company = await linkOrigin(db, message.account_id, { origin: ours, publicUrl: delivery.publicUrl });
  const link = await mintSigningLink(world, db, signingOrigin(recipient, company, ours), recipient);
  const brand = message.channel === 'email' ? await readMailBrand(db, message.account_id, loaded.senderEmail) : null;
  const recipientName = await mailedName(db, recipient);
  const view = {
    language: document.primary_language,
    accountName: loaded.accountName,
    recipientName,
    recipientKind: recipientKind(recipient),
    document: {
      id: document.id,
      title: document.title,
      message: document.message,
      expiresAt: document.expires_at === null ? null : new Date(document.expires_at),
    },
    link,
    ...(brand && { brand }),
  };
  const { sms, mail } = delivery;
  const wording = wordings[message.kind];
  return inSpan(
    `send-${message.channel}`,
    { kind: 'client', attributes: { 'countersign.message_id': message.id } },
    () =>
      message.channel === 'sms'
        ? sms.send({ id: message.id, to: recipient.phone ?? '', ...wording.sms(view) })
        : mail.send({
            id: message.id,
            to: { name: recipientName, address: recipient.email ?? '' },
            ...brand?.envelope,
            ...wording.email(view),
          }),
  );
}

async function recordAccepted(
  world: World,
  db: Database,
  queue: JobQueue,
  { message, recipient }: LoadedMessage,
  providerId: string | null,
): Promise<void> {
  const now = world.clock.now();
  const outcome = { status: 'accepted', providerId, error: null } as const;
  if (await settleMessage(db, message.id, outcome, now)) return;
  // It was cancelled while it was being sent, so the recipient was not notified then. If the process ends here, nothing notifies them.
  await db.transaction(async (tx) => {
    const document = await lockDocument(tx, message.account_id, message.document_id, 'all');
    const settled = await settleMessage(tx, message.id, outcome, now, 'cancelled');
    if (document !== null && settled) await notifyReachedLate(world, tx, queue, document, recipient);
  });
}

async function recordFailure(world: World, db: Database, loaded: LoadedMessage, reason: string): Promise<void> {
  const { message, recipient } = loaded;
  const now = world.clock.now();
  world.log.warn('a message could not be delivered', { message_id: message.id, channel: message.channel });
  await db.transaction(async (tx) => {
    const document = await lockDocument(tx, message.account_id, message.document_id, 'all');
    const settled = await settleMessage(tx, message.id, { status: 'failed', providerId: null, error: reason }, now);
    if (document === null || !settled) return;
    await appendAudit(tx, document, [
      {
        at: now.toISOString(),
        actor: 'service',
        action: 'delivery_failed',
        detail: { recipient_id: recipient.id, channel: message.channel, kind: message.kind, reason },
      },
    ]);
  });
}
