import type { DocumentType } from '../../document-types.ts';
import type { DocumentFile } from '../../documents/attachment.ts';
import { isToBeSealed } from '../../documents/completed-file.ts';
import type { Document, DocumentStatus, SendFailure } from '../../documents/document.ts';
import { type DocumentPart, titleOf } from '../../documents/document-part.ts';
import { type Field, formulaAsPlaced, shownIf } from '../../documents/field.ts';
import type { DocumentJsonRow } from '../../documents/json.ts';
import type { SenderOfDocument } from '../../documents/list-senders.ts';
import type { RelatedDocument } from '../../documents/mirrors.ts';
import type { Sending } from '../../documents/read-sending.ts';
import { isDone, isSigner, type Recipient } from '../../documents/recipient.ts';
import type { MessageDelivery } from '../../message-log/message-json.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import type { LinkOfDocument } from '../../public-link/link-documents.ts';
import { type DocumentAction, documentActions } from './document-actions.ts';
import { type RecipientView, recipientView } from './recipient-view.ts';
import type { TimelineEntry } from './timeline.ts';

/** Documents as the console's pages show them. The pages import these types. */

/** A row of the document list. */
export interface DocumentSummary {
  id: string;
  title: string;
  type: DocumentType;
  status: DocumentStatus;
  /** Whether it was sent with a test key, so that it delivers no e-mail or SMS. */
  is_test: boolean;
  /** When it is sent. Null: it is not scheduled. */
  send_at: Timestamp | null;
  /** The id of its folder. Null: it is in none. */
  folder: string | null;
  /** The first few recipients, in signing order. */
  recipient_names: string[];
  recipient_count: number;
  signer_count: number;
  signed_count: number;
  /** Who sent it, or else who created it. Null unless the list was asked for senders. */
  sender: SenderOfDocument | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface DocumentDetail extends DocumentSummary {
  /** The current version. A change based on an older version is refused. */
  version: number;
  message: string | null;
  language: Document['primary_language'];
  sign_order_mode: Document['sign_order_mode'];
  expires_in_days: number | null;
  /** As in `ReminderPlan`. */
  reminder_days: number[] | null;
  expiry_reminder_days: number | null;
  /** When the next scheduled reminder is sent. Null: none. */
  next_reminder_at: Timestamp | null;
  sent_at: Timestamp | null;
  completed_at: Timestamp | null;
  /** Whether the signed PDF is ready. */
  is_sealed: boolean;
  /** Whether all have signed and the signed PDF is being prepared. */
  is_sealing: boolean;
  voided_reason: string | null;
  /** The page that sealing would change visibly. The document is not sealed in this case. */
  seal_changed_page: number | null;
  expires_at: Timestamp | null;
  restricted_kind: Document['restricted_kind'];
  is_template: boolean;
  file: FileView | null;
  recipients: RecipientView[];
  /** When it will be sent, or why it was not. Null: neither. */
  schedule: ScheduleView | null;
  /** The last step of its internal review. Null after sending. */
  review: ReviewView | null;
  /** The document that this one mirrors and waits for. */
  mirrors: LinkedDocument | null;
  /** The documents that wait for this one, newest first. */
  mirrored_by: LinkedDocument[];
  /** The public link that it was made from. Null: none, or the link was deleted. */
  public_link: LinkOfDocument | null;
  /** Whether recipients wrote comments to the sender. */
  has_comments: boolean;
  /** Whether the caller may only read it, as a viewer of its folder. */
  is_read_only: boolean;
  /** The actions that the caller may take now. */
  actions: DocumentAction[];
}

/** `failure` is null while the document is scheduled. `at` is then when it is sent, otherwise when sending failed. */
export interface ScheduleView {
  at: Timestamp;
  by: TimelineEntry['actor'];
  failure: SendFailure | null;
}

export interface ReviewView {
  status: 'waiting' | 'returned';
  at: Timestamp;
  by: TimelineEntry['actor'];
  /** Why the document was returned. */
  note: string | null;
}

/** Another document. Id and title are null if the caller may not see it. */
export interface LinkedDocument {
  id: string | null;
  title: string | null;
  status: DocumentStatus;
}

export interface FileView {
  name: string;
  bytes: number;
  /** In hex. It is part of the pictures' addresses, because browsers cache them. */
  sha256: string;
  /** Width and height of each page, in points. */
  pages: [width: number, height: number][];
  /** The files that it was joined from, and the page that each begins on, from 1. Empty for a single file. */
  parts: { title: string; first_page: number }[];
}

const namesMax = 3;

export function documentSummary(
  row: DocumentJsonRow,
  recipients: readonly Recipient[],
  sending: Sending = { sent_mode: null, send_at: null, folder_id: null },
  sender: SenderOfDocument | null = null,
): DocumentSummary {
  const signers = recipients.filter(isSigner);
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    status: row.status,
    is_test: sending.sent_mode === 'test',
    send_at: sending.send_at,
    folder: sending.folder_id,
    recipient_names: recipients.slice(0, namesMax).map(({ display_name }) => display_name),
    recipient_count: recipients.length,
    signer_count: signers.length,
    signed_count: signers.filter(isDone).length,
    sender,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export interface DocumentParts {
  document: Document;
  recipients: readonly Recipient[];
  file: DocumentFile | null;
  /** The files that it was joined from. Empty for a single one. */
  parts: readonly DocumentPart[];
  /** What became of the last message to each recipient, by the recipient's id. */
  deliveries: ReadonlyMap<string, MessageDelivery>;
  schedule: ScheduleView | null;
  review: ReviewView | null;
  mirrored: RelatedDocument | null;
  mirrors: readonly RelatedDocument[];
  nextReminder: Date | null;
  publicLink: LinkOfDocument | null;
  hasComments: boolean;
  /** Whether the caller is an owner or admin. */
  isAdmin: boolean;
  /** Whether the caller may only read it, as a viewer of its folder. */
  isViewer: boolean;
  /** The address of the member who sees it. Null: only a company's provider has said that it is theirs. */
  memberEmail: string | null;
}

export function documentDetail(parts: DocumentParts): DocumentDetail {
  const { document, recipients, file, deliveries, review, mirrored, mirrors, isAdmin, isViewer } = parts;
  return {
    ...documentSummary(document, recipients, document),
    version: document.audit_seq,
    message: document.message,
    language: document.primary_language,
    sign_order_mode: document.sign_order_mode,
    expires_in_days: document.expires_in_days,
    reminder_days: document.reminder_days,
    expiry_reminder_days: document.expiry_reminder_days,
    next_reminder_at: parts.nextReminder?.toISOString() ?? null,
    sent_at: document.sent_at,
    completed_at: document.completed_at,
    is_sealed: document.sealed_file !== null,
    is_sealing: isToBeSealed(document),
    voided_reason: document.voided_reason,
    seal_changed_page: document.seal_changed_page,
    expires_at: document.expires_at,
    restricted_kind: document.restricted_kind,
    is_template: document.is_template,
    file: file && {
      name: file.name,
      bytes: file.bytes,
      sha256: file.sha256.toString('hex'),
      pages: file.pages,
      parts: parts.parts.map(({ name, first_page }) => ({ title: titleOf(name), first_page })),
    },
    recipients: recipients.map((recipient) => {
      const view = recipientView(document, recipient, deliveries.get(recipient.id) ?? null, parts.memberEmail);
      return isViewer ? { ...view, actions: [] } : view;
    }),
    schedule: parts.schedule,
    review,
    mirrors: mirrored && linkTo(mirrored),
    mirrored_by: mirrors.map(linkTo),
    public_link: parts.publicLink,
    has_comments: parts.hasComments,
    is_read_only: isViewer,
    actions: documentActions(document, { isAdmin, isViewer }),
  };
}

function linkTo({ id, title, status, is_hidden }: RelatedDocument): LinkedDocument {
  return is_hidden ? { id: null, title: null, status } : { id, title, status };
}

/** A placed field, with the properties that `readPlacedFields` reads. */
export interface FieldView
  extends Pick<
    Field,
    | 'type'
    | 'page'
    | 'x'
    | 'y'
    | 'width'
    | 'height'
    | 'required'
    | 'label'
    | 'decimals'
    | 'options'
    | 'date_format'
    | 'text_format'
  > {
  /** The id of the recipient who fills it in. */
  recipient: string;
  /** Whether other recipients don't see its value while they sign. */
  private: boolean;
  /** The value that the sender gave, and whether the recipient can't change it. */
  value: string | null;
  read_only: boolean;
  /** Limits of a number. */
  min: string | null;
  max: string | null;
  /** The group of a radio button. */
  group: string | null;
  /** When the field is shown: `field` is a number in the list, from 1. Null: always. */
  shown_if: { field: number; value: string } | null;
  /** How a number is calculated: `{1} * 1.21`, with numbers in the list. Null: it is entered. */
  formula: string | null;
}

export function fieldViews(fields: readonly Field[]): FieldView[] {
  return fields.map((field) => fieldView(field, fields));
}

function fieldView(field: Field, all: readonly Field[]): FieldView {
  const { type, page, x, y, width, height, required, label, decimals, options, date_format, text_format } = field;
  return {
    ...{ type, page, x, y, width, height, required, label, decimals, options, date_format, text_format },
    recipient: field.recipient_id,
    private: field.is_private,
    value: field.preset,
    read_only: field.is_fixed,
    min: field.number_min,
    max: field.number_max,
    group: field.group_name,
    shown_if: shownIf(field, all),
    formula: formulaAsPlaced(field, all),
  };
}
