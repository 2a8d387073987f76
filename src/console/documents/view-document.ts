import { readDocumentFile } from '../../documents/attachment.ts';
import { hasComments } from '../../documents/comments.ts';
import { type Document, isUnsent } from '../../documents/document.ts';
import { readParts } from '../../documents/document-part.ts';
import { findMirrored, listMirrors } from '../../documents/mirrors.ts';
import { nextReminderAt } from '../../documents/next-reminder.ts';
import { listRecipients } from '../../documents/queries.ts';
import { readLastReview } from '../../documents/review.ts';
import { lastDeliveries } from '../../message-log/last-deliveries.ts';
import { listMessages } from '../../messages/message.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findLinkOfDocument } from '../../public-link/link-documents.ts';
import { isAtLeast, readerOf } from '../core/authorise.ts';
import type { ConsoleDeps, MemberCall } from '../core/console-endpoint.ts';
import { type DocumentDetail, documentDetail, type ReviewView, type ScheduleView } from './document-views.ts';
import { accessOf } from './own-document.ts';
import { describeActor } from './timeline.ts';

const mirrorsShownMax = 20;

/** Reads a document as the caller may see it. */
export async function viewDocument(
  { world, reminderDays }: Pick<ConsoleDeps, 'world' | 'reminderDays'>,
  db: Queryable,
  { caller, language }: Pick<MemberCall, 'caller' | 'language'>,
  document: Document,
): Promise<DocumentDetail> {
  const { account_id, id, mirrors_document_id } = document;
  const readerId = readerOf({ caller });
  const [recipients, file, parts, messages, schedule, review, mirrored, mirrors, publicLink, access, commented] =
    await Promise.all([
      listRecipients(db, account_id, id),
      readDocumentFile(db, account_id, id),
      readParts(db, account_id, id),
      listMessages(db, account_id, id),
      viewSchedule(db, document),
      viewReview(db, document),
      mirrors_document_id === null ? null : findMirrored(db, account_id, mirrors_document_id, readerId),
      listMirrors(db, account_id, id, readerId, mirrorsShownMax),
      findLinkOfDocument(db, account_id, id, readerId),
      accessOf(db, { caller }, document),
      hasComments(db, document),
    ]);
  const isAdmin = isAtLeast(caller.membership.role, 'admin');
  const nextReminder = nextReminderAt(document, recipients, messages, reminderDays, world.clock.now());
  const deliveries = await lastDeliveries(db, recipients, messages, language);
  return documentDetail({
    document,
    recipients,
    file,
    parts,
    deliveries,
    schedule,
    review,
    mirrored,
    mirrors,
    nextReminder,
    publicLink,
    hasComments: commented,
    isAdmin,
    isViewer: access !== 'editor',
    memberEmail: caller.session.only_account_id === null ? caller.person.email : null,
  });
}

async function viewSchedule(db: Queryable, document: Document): Promise<ScheduleView | null> {
  const { account_id, send_at, send_by, send_failure, send_failed_at } = document;
  const at = send_at ?? send_failed_at;
  if (at === null || send_by === null) return null;
  return { at, by: await describeActor(db, account_id, [], send_by), failure: send_failure };
}

/** Reads the last review step. After sending, it is only in the history. */
async function viewReview(db: Queryable, document: Document): Promise<ReviewView | null> {
  if (!isUnsent(document.status)) return null;
  const step = await readLastReview(db, document);
  if (step === null) return null;
  const { action, at, actor, note } = step;
  const by = await describeActor(db, document.account_id, [], actor);
  return { status: action === 'returned_to_draft' ? 'returned' : 'waiting', at, by, note };
}
