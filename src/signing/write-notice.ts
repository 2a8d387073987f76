import { accessTo } from '../accounts/document-access.ts';
import { readAccountName } from '../accounts/manage-accounts.ts';
import type { NoticeKind } from '../accounts/notice-kinds.ts';
import { type SenderNoticeKind, wantsNotice } from '../accounts/own-notices.ts';
import { readReassignments } from '../documents/audit.ts';
import { findComment } from '../documents/comments.ts';
import type { Document } from '../documents/document.ts';
import { findSendingMember, type SendingMember } from '../documents/find-sender.ts';
import { findDocumentInAccount, listRecipients } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import { findLoggedMessage } from '../message-log/find-message.ts';
import type { DocumentNotice } from '../messages/document-notice.ts';
import type { Email } from '../messages/email.ts';
import { type MailBrand, readMailBrand } from '../messages/mail-brand.ts';
import type { RecipientNotice } from '../messages/notice-wording.ts';
import { recipientNotice, recipientNoticeSms } from '../messages/recipient-notices.ts';
import { type SenderNoticeView, senderNotice } from '../messages/sender-notices.ts';
import type { UnsubscribeLinks } from '../messages/unsubscribe-links.ts';
import type { Queryable } from '../postgres/database.ts';
import { mailedName } from './mailed-name.ts';

/** A notice that is ready to be sent. */
export type WrittenNotice =
  | {
      channel: 'email';
      to: { name: string; address: string };
      /** The headers of a company. */
      envelope: Partial<MailBrand['envelope']>;
      email: Email;
      /** Where the addressee switches such e-mails off. Recipients have no such link. */
      unsubscribe?: string;
    }
  | { channel: 'sms'; to: string; text: string };

const recipientNotices: Record<NoticeKind & `recipient_${string}`, RecipientNotice> = {
  recipient_voided: 'voided',
  recipient_declined: 'declined',
  recipient_expired: 'expired',
  recipient_reassigned: 'reassigned',
};

/** Links in notices. */
export interface NoticeLinks {
  /** That of links to the console. */
  origin: string;
  unsubscribeLinks: UnsubscribeLinks;
}

/** Writes a notice. Null: there is nobody to notify any more. */
export async function writeNotice(
  db: Queryable,
  notice: DocumentNotice,
  { origin, unsubscribeLinks }: NoticeLinks,
): Promise<WrittenNotice | null> {
  const { account_id: accountId, document_id: documentId } = notice;
  const [document, recipients, sender, accountName] = await Promise.all([
    findDocumentInAccount(db, accountId, documentId),
    listRecipients(db, accountId, documentId),
    findSendingMember(db, { id: documentId, account_id: accountId }),
    readAccountName(db, accountId),
  ]);
  if (document === null) return null;
  const { kind } = notice;
  if (isToSender(kind)) {
    const event = await {
      sender_completed: () => completionOf(document),
      sender_declined: () => declineOf(recipients),
      sender_bounced: () => bounceOf(db, notice, recipients),
      sender_delegated: () => delegationOf(db, notice),
      sender_commented: () => commentOf(db, notice, document, recipients),
    }[kind]();
    if (event === null || sender === null || (await accessTo(db, sender, document)) === null) return null;
    const reader = { accountId, memberId: sender.id };
    if (!(await wantsNotice(db, reader, kind))) return null;
    const unsubscribe = origin + unsubscribeLinks.pathOf({ ...reader, kind });
    return toSender(document, sender, accountName, event, { link: `${origin}/documents/${documentId}`, unsubscribe });
  }
  const addressee = addresseeOf(notice, recipients);
  if (addressee === null) return null;
  const { recipient_id: id, holder } = notice;
  if (id !== null && holder !== null) {
    const person = { account_id: accountId, document_id: documentId, id, holder, display_name: addressee.name };
    addressee.name = await mailedName(db, person);
  }
  const brand = await readMailBrand(db, accountId, sender?.email ?? null);
  return toRecipient(recipientNotices[kind], document, addressee, accountName, brand);
}

function isToSender(kind: NoticeKind): kind is SenderNoticeKind {
  return kind.startsWith('sender_');
}

function toSender(
  document: Document,
  sender: SendingMember,
  accountName: string,
  event: SenderNoticeView['event'],
  links: Pick<SenderNoticeView, 'link' | 'unsubscribe'>,
): WrittenNotice {
  const { id, title, primary_language: language, restricted_kind } = document;
  const isRestricted = restricted_kind !== null;
  const view = {
    language,
    accountName,
    document: { id, title, isRestricted },
    event,
    ...links,
  };
  return {
    channel: 'email',
    to: { name: '', address: sender.email },
    envelope: event.kind === 'commented' ? { replyTo: event.replyTo } : {},
    email: senderNotice(view),
    unsubscribe: links.unsubscribe,
  };
}

function completionOf({ completed_at: at }: Document): SenderNoticeView['event'] | null {
  return at === null ? null : { kind: 'completed', at: new Date(at) };
}

function declineOf(recipients: readonly Recipient[]): SenderNoticeView['event'] | null {
  const decliner = recipients.find(({ status }) => status === 'declined');
  if (!decliner?.declined_at || decliner.declined_reason === null) return null;
  const { declined_at: at, display_name: name, declined_reason: reason } = decliner;
  return { kind: 'declined', at: new Date(at), name, reason };
}

/** Null if the message is gone, or its recipient was replaced. */
async function bounceOf(
  db: Queryable,
  { about_message }: DocumentNotice,
  recipients: readonly Recipient[],
): Promise<SenderNoticeView['event'] | null> {
  const message = about_message === null ? null : await findLoggedMessage(db, about_message);
  const recipient = recipients.find(({ id, holder }) => id === message?.recipient_id && holder === message.holder);
  if (message?.bounced_at == null || recipient === undefined) return null;
  const { bounced_at: at, reported_reason: reason } = message;
  return { kind: 'bounced', at: new Date(at), name: recipient.display_name, reason };
}

/** Null if the people were erased. */
async function delegationOf(
  db: Queryable,
  { account_id, document_id, about_recipient: id, about_holder: holder }: DocumentNotice,
): Promise<SenderNoticeView['event'] | null> {
  if (holder === null) return null;
  const reassignments = await readReassignments(db, account_id, document_id);
  // The first person is number 1, so the first reassignment replaced that one.
  const entry = reassignments.filter(({ detail }) => detail.recipient_id === id)[holder - 1];
  const { from, name, reason } = entry?.detail ?? {};
  if (entry === undefined || typeof from !== 'string' || typeof name !== 'string') return null;
  const said = typeof reason === 'string' ? reason : null;
  return { kind: 'delegated', at: new Date(entry.at), name: from, instead: name, reason: said };
}

/** Null if the person was erased. Answers go to the person who wrote, and those about a restricted document to nobody. */
async function commentOf(
  db: Queryable,
  { about_comment }: DocumentNotice,
  document: Document,
  recipients: readonly Recipient[],
): Promise<SenderNoticeView['event'] | null> {
  const comment = about_comment === null ? null : await findComment(db, document, about_comment);
  if (comment === null || comment.name === null) return null;
  const { recipient_id, holder, at, name, text: reason } = comment;
  const writer = recipients.find((one) => one.id === recipient_id && one.holder === holder);
  const replyTo = document.restricted_kind === null ? (writer?.email ?? null) : null;
  return { kind: 'commented', at: new Date(at), name, reason, replyTo };
}

interface ReachedPerson {
  name: string;
  channel: 'email' | 'sms';
  address: string;
}

/** Null for a person whose details were erased. */
function addresseeOf(notice: DocumentNotice, recipients: readonly Recipient[]): ReachedPerson | null {
  const { channel, former_name, former_address } = notice;
  if (notice.kind === 'recipient_reassigned') {
    return former_address === null ? null : { name: former_name ?? '', channel, address: former_address };
  }
  const recipient = recipients.find(({ id, holder }) => id === notice.recipient_id && holder === notice.holder);
  const address = channel === 'sms' ? recipient?.phone : recipient?.email;
  return recipient && address ? { name: recipient.display_name, channel, address } : null;
}

function toRecipient(
  kind: RecipientNotice,
  document: Document,
  { name, channel, address }: ReachedPerson,
  accountName: string,
  { look, envelope }: MailBrand,
): WrittenNotice {
  const { id, title, primary_language: language } = document;
  const view = { language, kind, accountName, recipientName: name, document: { id, title } };
  if (channel === 'sms') return { channel, to: address, ...recipientNoticeSms(view) };
  const reason = kind === 'voided' ? document.voided_reason : null;
  const email = recipientNotice({ ...view, reason, canReply: envelope.replyTo !== null, look });
  return { channel, to: { name, address }, envelope, email };
}
