import type { Actor } from '../actor.ts';
import type { DocumentType } from '../document-types.ts';
import { ApiError, Refusal } from '../errors.ts';
import type { Language } from '../platform/language.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { isSigner, lacksContact, type Recipient, type SignOrderMode } from './recipient.ts';
import { canRemindBeforeExpiry } from './reminder-plan.ts';

const dayMs = 86_400_000;

/** A document: its shape, its statuses and its rules. Nothing here reads or writes the database. */
export const documentStatuses = [
  'draft',
  'sent',
  'partially_signed',
  'completed',
  'voided',
  'declined',
  'expired',
  'in_review',
] as const;

/** Why a document was not sent at its scheduled time. */
export const sendFailures = [
  'no_recipients',
  'no_signers',
  'recipient_contact_required',
  'approver_requires_sequential',
  'pay_app_unsigned',
  'not_a_member',
  'not_allowed',
  'company_removed',
  'failed',
] as const;

export const restrictedKinds = ['pay', 'tax', 'identity', 'bank', 'health', 'other'] as const;

export type DocumentStatus = (typeof documentStatuses)[number];
export type SendFailure = (typeof sendFailures)[number];
export type RestrictedKind = (typeof restrictedKinds)[number];

/** One row of `documents`. */
export interface Document {
  id: string;
  account_id: string;
  type: DocumentType;
  status: DocumentStatus;
  title: string;
  description: string | null;
  primary_language: Language;
  secondary_language: Language | null;
  message: string | null;
  sign_order_mode: SignOrderMode;
  expires_in_days: number | null;
  reminder_days: number[] | null;
  expiry_reminder_days: number | null;
  /** When the reminder before the expiry is due. Null: never, or it was sent. */
  expiry_reminder_at: Timestamp | null;
  recipient_count: number;
  is_template: boolean;
  /** Whether the document was completed at an e-signature vendor. Its imported file is then its sealed PDF. */
  is_migrated: boolean;
  restricted_kind: RestrictedKind | null;
  /** The folder that says which members see it. Null: all do. */
  folder_id: string | null;
  mirrors_document_id: string | null;
  sent_mode: 'live' | 'test' | null;
  content_sha256: Buffer | null;
  sent_at: Timestamp | null;
  completed_at: Timestamp | null;
  voided_at: Timestamp | null;
  voided_reason: string | null;
  expires_at: Timestamp | null;
  sealed_at: Timestamp | null;
  sealed_file: string | null;
  /** The page (from 1) that would look different in the sealed PDF. Sealing has stopped because of it. */
  seal_changed_page: number | null;
  /** Whether an operator chose to embed the file unchanged, after sealing had stopped. */
  seal_embeds_file: boolean;
  /** When it is sent. Null: it is not scheduled. */
  send_at: Timestamp | null;
  /** Who scheduled it, in whose name it is sent. Kept after a failure. */
  send_by: Actor | null;
  send_language: Language | null;
  /** Why the last schedule ended without sending, and when. */
  send_failure: SendFailure | null;
  send_failed_at: Timestamp | null;
  /** Whether recipients must tick a box before they can sign, as the company had set it when the document was sent. */
  asks_consent: boolean;
  /** Whom to ask for printed copies, and what they cost, as the company had set it when the document was sent. */
  copies_contact: string | null;
  copies_cost: string | null;
  /**
   * What its certificate of completion shows, as the company had set it when the document was sent. Null: it was not sent, or
   * before there was a choice.
   */
  masks_contacts: boolean | null;
  shows_devices: boolean | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  audit_seq: number;
  audit_hash: Buffer;
}

/** Returns whether the document can still be changed. Its content is fixed when it is sent. */
export function isUnsent(status: DocumentStatus): boolean {
  return status === 'draft' || status === 'in_review';
}

/** Throws a `Refusal` if the document is scheduled. Its schedule must be cancelled before it changes. */
export function assertNotScheduled({ send_at }: Pick<Document, 'send_at'>): void {
  if (send_at !== null) throw new Refusal('the document is scheduled to be sent: cancel the schedule first');
}

/** The columns of a document without a schedule, or once its schedule has ended. */
export const unscheduled = { send_at: null, send_failure: null, send_failed_at: null } as const;

export function awaitsSignature(status: DocumentStatus): boolean {
  return status === 'sent' || status === 'partially_signed';
}

/** Returns whether the document is past `expires_at` and awaits signatures, even if its status is not `expired` yet. */
export function hasExpired(document: Document, now: Date): boolean {
  return awaitsSignature(document.status) && document.expires_at !== null && document.expires_at <= now.toISOString();
}

/** Returns whether members can void the document. A template is deleted instead, by owners and admins. */
export function canBeVoided({ status, is_template }: Pick<Document, 'status' | 'is_template'>): boolean {
  return status !== 'voided' && !is_template;
}

/** Returns whether a draft can be made from the document. Templates have their own way, and a vendor's document has no fields. */
export function canBeCopied({ is_template, is_migrated }: Pick<Document, 'is_template' | 'is_migrated'>): boolean {
  return !is_template && !is_migrated;
}

/** Returns whether a mirror of the document makes sense. A mirror waits until the document is completed. */
export function canBeMirrored({ status }: Pick<Document, 'status'>): boolean {
  return status !== 'voided' && status !== 'declined' && status !== 'expired';
}

/**
 * Checks the rules of POST /documents/{id}/send. Throws an `ApiError` for the first broken rule, so the order is part of
 * the API. `mirrored`: the document that this one mirrors, if any.
 */
export function assertSendable(
  document: Document,
  recipients: readonly Recipient[],
  mirrored: Pick<Document, 'status'> | null,
): void {
  if (!isUnsent(document.status)) throw new ApiError('document_not_sendable', { param: 'status' });
  if (recipients.length === 0) throw new ApiError('no_recipients', { param: 'recipients' });
  if (!recipients.some(isSigner)) throw new ApiError('no_signers', { param: 'recipients' });
  if (recipients.some(lacksContact)) throw new ApiError('recipient_contact_required', { param: 'recipients' });
  if (
    document.sign_order_mode !== 'sequential' &&
    recipients.some((recipient) => recipient.party_role === 'approver')
  ) {
    throw new ApiError('approver_requires_sequential', { param: 'sign_order_mode' });
  }
  if (mirrored === null || mirrored.status === 'completed') return;
  if (canBeMirrored(mirrored)) throw new ApiError('pay_app_unsigned');
  throw new ApiError('pay_app_unsigned', { message: `The document mirrors another that is ${mirrored.status}.` });
}

/** Returns when a document sent at `sentAt` expires, or null if it never does. */
export function expiryOf(document: Document, sentAt: Date): Date | null {
  return document.expires_in_days === null ? null : new Date(sentAt.getTime() + document.expires_in_days * dayMs);
}

/** Returns when the reminder before the expiry of a document sent at `sentAt` is due, or null if it has none. */
export function expiryReminderOf(document: Document, mode: 'live' | 'test', sentAt: Date): Date | null {
  const { expires_in_days: expires, expiry_reminder_days: before } = document;
  // Test documents send no messages.
  if (expires === null || before === null || !canRemindBeforeExpiry(before, expires) || mode !== 'live') return null;
  return new Date(sentAt.getTime() + (expires - before) * dayMs);
}
