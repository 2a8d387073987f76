import { readDocumentFile } from '../documents/attachment.ts';
import type { Document } from '../documents/document.ts';
import { listMessages } from '../documents/message-queries.ts';
import { listRecipients } from '../documents/queries.ts';
import type { Queryable } from '../postgres/database.ts';
import { isAtLeast } from './authorise.ts';
import type { MemberCall } from './console-endpoint.ts';
import { type DocumentDetail, documentDetail } from './document-views.ts';

/** A document as whoever asks may see it. */
export async function viewDocument(
  db: Queryable,
  { caller }: Pick<MemberCall, 'caller'>,
  document: Document,
): Promise<DocumentDetail> {
  const { account_id, id } = document;
  const [recipients, file, messages] = await Promise.all([
    listRecipients(db, account_id, id),
    readDocumentFile(db, account_id, id),
    listMessages(db, account_id, id),
  ]);
  const isAdmin = isAtLeast(caller.membership.role, 'admin');
  return documentDetail({ document, recipients, file, messages, isAdmin });
}
