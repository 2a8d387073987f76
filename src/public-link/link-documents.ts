import { createHash } from 'node:crypto';
import { isHidden, isInSeenFolder } from '../accounts/document-access.ts';
import { type DocumentJsonRow, documentJsonColumns, documentJsonRow } from '../documents/json.ts';
import type { Recipient } from '../documents/recipient.ts';
import { canonicalEmail } from '../platform/canonical-email.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { PublicLink } from './public-link.ts';

/** Counts a document that was made from a link, and remembers for which address. The caller holds the link's lock. */
export async function recordDocument(
  tx: Tx,
  { account_id, id }: PublicLink,
  { document_id, id: recipientId }: Recipient,
  email: string,
): Promise<void> {
  await tx.query({
    name: 'record_public_link_document',
    text: `with counted as (
             update public_links set documents = documents + 1 where account_id = $1 and id = $2
           )
           insert into public_link_documents (account_id, link_id, document_id, recipient_id, email_hash)
           values ($1, $2, $3, $4, $5)`,
    values: [account_id, id, document_id, recipientId, hashEmail(id, email)],
  });
}

/**
 * Finds the recipient of a document that was made from a link: of a certain document, or of the newest for an address.
 * Documents that were voided or have expired don't count for an address, so that the person can sign a new one.
 */
export async function findDocumentOf(
  db: Queryable,
  { account_id, id }: PublicLink,
  by: { documentId: string } | { email: string },
): Promise<Pick<Recipient, 'id' | 'holder' | 'document_id' | 'email'> | null> {
  const rows = await db.query<Pick<Recipient, 'id' | 'holder' | 'document_id' | 'email'>>({
    name: 'find_document_of_public_link',
    text: `select r.id, r.holder, r.document_id, r.email from public_link_documents l
             join documents d on d.account_id = l.account_id and d.id = l.document_id
             join recipients r on r.account_id = l.account_id and r.id = l.recipient_id
           where l.account_id = $1 and l.link_id = $2
             and (l.document_id = $3 or (l.email_hash = $4 and d.status not in ('voided', 'expired')))
           order by l.document_id desc limit 1`,
    values: [account_id, id, 'documentId' in by ? by.documentId : null, 'email' in by ? hashEmail(id, by.email) : null],
  });
  return rows[0] ?? null;
}

/**
 * Lists the documents of a link, newest first. Leaves out restricted ones, as every list does, and those in folders that the
 * reader does not see. `readerId`: from `readerIdOf`.
 */
export function listLinkDocuments(
  db: Queryable,
  { account_id, id }: PublicLink,
  { readerId, afterId, limit }: { readerId: string | null; afterId: string | null; limit: number },
): Promise<DocumentJsonRow[]> {
  return db.query<DocumentJsonRow>({
    name: 'list_public_link_documents',
    text: `select ${documentJsonColumns.map((column) => `d.${column}`).join(', ')} from public_link_documents l
             join documents d on d.account_id = l.account_id and d.id = l.document_id
           where l.account_id = $1 and l.link_id = $2 and d.restricted_kind is null and ($3::uuid is null or d.id < $3)
             and ${isInSeenFolder('d', '$5')}
           order by l.document_id desc limit $4`,
    values: [account_id, id, afterId, limit, readerId],
    row: documentJsonRow,
  });
}

/** The link that a document was made from. */
export interface LinkOfDocument {
  id: string;
  template_id: string;
  /** Its name, or the title of its template. */
  name: string;
}

/** Returns null for other documents, after the link was deleted, and if the reader may not see its template. */
export async function findLinkOfDocument(
  db: Queryable,
  accountId: string,
  documentId: string,
  readerId: string | null,
): Promise<LinkOfDocument | null> {
  const rows = await db.query<LinkOfDocument>({
    name: 'find_public_link_of_document',
    text: `select p.id, p.template_id, coalesce(p.name, t.title) as name from public_link_documents l
             join public_links p on p.account_id = l.account_id and p.id = l.link_id
             join documents t on t.account_id = p.account_id and t.id = p.template_id
           where l.account_id = $1 and l.document_id = $2 and not ${isHidden('t', '$3')}`,
    values: [accountId, documentId, readerId],
  });
  return rows[0] ?? null;
}

function hashEmail(linkId: string, email: string): Buffer {
  return createHash('sha256')
    .update(`${linkId}\n${canonicalEmail(email)}`)
    .digest();
}
