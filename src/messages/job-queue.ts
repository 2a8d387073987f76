import type { Language } from '../platform/language.ts';
import type { Tx } from '../postgres/database.ts';

/** Enqueues jobs in the caller's transaction. The jobs exist only if it commits. */
export interface JobQueue {
  enqueue(tx: Tx, jobs: Job[]): Promise<void>;
}

/** All jobs of the queue. Stored jobs have these names, so a name can't change. */
export type Job =
  // Stored jobs of earlier versions have no company.
  | { name: 'deliver-message'; accountId: string; messageId: string }
  | { name: 'deliver-notice'; accountId: string; noticeId: string }
  | SmsJob
  | { name: 'seal-document'; documentId: string; accountId: string }
  | AttestJob
  | { name: 'unlock-document'; documentId: string; accountId: string }
  | BulkJob
  | ReviewJob
  | ScheduleJob
  | BulkStopJob
  | EndpointNoticeJob
  | ReconnectJob
  | NewBrowserJob
  | ExportJob
  | AuditStreamJob;

/** Delivers a message or notice by SMS. Those that were enqueued by earlier versions are in the queues of e-mails. */
type SmsJob = { name: 'deliver-sms'; accountId: string } & ({ messageId: string } | { noticeId: string });

/** Signs the audit entry of what a recipient did, and those of the same document that are still missing. */
interface AttestJob {
  name: 'attest-act';
  accountId: string;
  documentId: string;
  /** The number of the audit entry. */
  entry: number;
}

/** Sends some rows of a bulk send. */
export interface BulkJob {
  name: 'send-bulk-rows';
  accountId: string;
  bulkSendId: string;
}

/** A job that sends one e-mail to one person, so a retry repeats no other e-mail. Retries have the same `messageId`. */
interface NoticeJob {
  messageId: string;
}

/** Tells a member that a document was submitted for review, or returned to draft. */
export interface ReviewJob extends NoticeJob {
  name: 'tell-of-review';
  accountId: string;
  documentId: string;
  memberId: string;
  occasion: 'submitted' | 'returned';
  /** The e-mail address of the member who submitted or returned the document. Null: an operator. */
  by: string | null;
  language: Language;
}

/** Tells a member that a document was not sent at its scheduled time. */
export interface ScheduleJob extends NoticeJob {
  name: 'tell-of-schedule';
  accountId: string;
  documentId: string;
  memberId: string;
  failure:
    | 'no_recipients'
    | 'no_signers'
    | 'recipient_contact_required'
    | 'approver_requires_sequential'
    | 'pay_app_unsigned'
    | 'not_a_member'
    | 'not_allowed'
    | 'failed';
  language: Language;
}

/** Tells a member that a bulk send stopped. */
export interface BulkStopJob extends NoticeJob {
  name: 'tell-of-bulk-send';
  accountId: string;
  bulkSendId: string;
  memberId: string;
}

/** Tells an owner that a webhook endpoint fails or was paused. */
export interface EndpointNoticeJob extends NoticeJob {
  name: 'tell-owner';
  endpointId: string;
  memberId: string;
  /** Jobs of versions that told of paused endpoints only have none. */
  state?: 'failing' | 'paused';
}

/** Asks an owner to connect the e-signature vendor again. */
export interface ReconnectJob extends NoticeJob {
  name: 'ask-owner';
  accountId: string;
  memberId: string;
}

/** Tells a person about a sign-in with a new browser. */
export interface NewBrowserJob extends NoticeJob {
  name: 'notify-new-browser';
  personId: string;
  browser: string | null;
  ip: string;
  /** RFC 3339. */
  at: string;
  language: Language;
}

/** Tells an owner that the audit log could not be streamed for a day. */
export interface AuditStreamJob extends NoticeJob {
  name: 'tell-of-audit-stream';
  accountId: string;
  memberId: string;
}

/** Tells the owner who asked for a data export that it is ready, or failed. */
export interface ExportJob extends NoticeJob {
  name: 'tell-of-export';
  accountId: string;
  dataExportId: string;
}
