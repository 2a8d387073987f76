import type { PageRequest } from '../http/page-request.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Document, DocumentStatus } from './document.ts';
import { type DocumentJsonRow, documentJsonColumns, documentJsonRow } from './json.ts';
import type { Recipient } from './recipient.ts';

const jsonColumns = documentJsonColumns.join(', ');

const documentColumns = `${jsonColumns}, message, sign_order_mode, expires_in_days, reminder_days,
  expiry_reminder_days, expiry_reminder_at, is_template, is_migrated, restricted_kind, folder_id,
  mirrors_document_id, sent_mode, content_sha256, sealed_at, sealed_file, seal_changed_page, seal_embeds_file, send_at,
  send_by, send_language, send_failure, send_failed_at, asks_consent, copies_contact, copies_cost,
  masks_contacts, shows_devices, audit_seq, audit_hash`;

const recipientColumns = `id, account_id, document_id, position, display_name, email, phone, party_role, channel,
  sign_order, auth_level, status, sent_at, viewed_at, signed_at, declined_at, declined_reason, holder`;

/** The condition for documents that API keys can see: no templates and no restricted documents. */
const visible = 'not is_template and restricted_kind is null';

/** Finds a document that API keys can see. Returns null for a template or a restricted document. */
export async function findVisibleDocument(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<DocumentJsonRow | null> {
  const rows = await db.query<DocumentJsonRow>({
    name: 'find_visible_document',
    text: `select ${jsonColumns} from documents where account_id = $1 and id = $2 and ${visible}`,
    values: [accountId, id],
    row: documentJsonRow,
  });
  return rows[0] ?? null;
}

/**
 * Whether the answer to a document's creation may be given again: API keys can see the document, or nobody has changed it
 * since, and it is hidden because the account restricts its type.
 */
export async function mayShowCreation(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await db.query({
    name: 'may_show_creation',
    text: `select from documents where account_id = $1 and id = $2 and (${visible} or audit_seq = 1)`,
    values: [accountId, id],
  });
  return rows.length > 0;
}

/** The columns that a download needs. */
export type DownloadableDocument = Pick<
  Document,
  'id' | 'account_id' | 'title' | 'completed_at' | 'is_migrated' | 'sealed_file'
>;

/** Finds a document that API keys can see, with the columns that a download needs. */
export async function findVisibleDownload(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<DownloadableDocument | null> {
  const rows = await db.query<DownloadableDocument>({
    name: 'find_visible_download',
    text: `select id, account_id, title, completed_at, is_migrated, sealed_file from documents
           where account_id = $1 and id = $2 and ${visible}`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/**
 * Reads a document and locks its row against all other changes. `of`: `visible` finds only what API keys can see, `all`
 * also finds templates and restricted documents.
 */
export async function lockDocument(
  tx: Tx,
  accountId: string,
  id: string,
  of: 'visible' | 'all',
): Promise<Document | null> {
  const rows = await tx.query<Document>({
    name: `lock_document_${of}`,
    text: `select ${documentColumns} from documents
           where account_id = $1 and id = $2 ${of === 'visible' ? `and ${visible}` : ''} for update`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/**
 * Takes a shared lock on a document, the same lock that inserting a row with a foreign key to it takes. It keeps others from
 * changing the document until the transaction ends. A transaction that locks rows of the document and later inserts others
 * must call this first. Changes of a document lock it first too, so the two can't deadlock.
 */
export async function lockDocumentShared(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.query({
    name: 'lock_document_shared',
    text: 'select from documents where account_id = $1 and id = $2 for key share',
    values: [accountId, id],
  });
}

/** Finds a document of any account by its id. Only for operators, jobs and signing links. */
export async function findDocument(db: Queryable, id: string): Promise<Document | null> {
  const rows = await db.query<Document>({
    name: 'find_document',
    text: `select ${documentColumns} from documents where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Finds any document of the account, including templates and restricted documents. The caller checks permissions. */
export async function findDocumentInAccount(db: Queryable, accountId: string, id: string): Promise<Document | null> {
  const rows = await db.query<Document>({
    name: 'find_document_in_account',
    text: `select ${documentColumns} from documents where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

export async function findMirroredStatus(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<Pick<Document, 'status'> | null> {
  const rows = await db.query<Pick<Document, 'status'>>({
    name: 'find_mirrored_status',
    text: `select m.status from documents d join documents m on m.account_id = d.account_id and m.id = d.mirrors_document_id
           where d.account_id = $1 and d.id = $2`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/**
 * Lists the recipients of a document, sorted by `sign_order`. Joins on the document alone, so a recipient row with another
 * account is returned too. `sendDocument` then reports `tenant_divergence`.
 */
export async function listRecipients(db: Queryable, accountId: string, documentId: string): Promise<Recipient[]> {
  return db.query<Recipient>({
    name: 'list_recipients',
    text: `select ${recipientColumns.replaceAll(/(\w+)/g, 'r.$1')} from documents d join recipients r on r.document_id = d.id
           where d.account_id = $1 and d.id = $2 order by r.sign_order, r.position`,
    values: [accountId, documentId],
  });
}

/** Lists the recipients of several documents, sorted by document and `sign_order`. */
export async function listRecipientsOfDocuments(
  db: Queryable,
  accountId: string,
  documentIds: readonly string[],
): Promise<Recipient[]> {
  return db.query<Recipient>({
    name: 'list_recipients_of_documents',
    text: `select ${recipientColumns} from recipients
           where account_id = $1 and document_id = any ($2::uuid[]) order by document_id, sign_order, position`,
    values: [accountId, documentIds],
  });
}

/**
 * Lists the documents that API keys can see, newest first (`id desc`, because ids are UUIDv7). Returns one row more than the
 * page if more follow. For `ending_at` it returns exactly the page, oldest first, and the caller reverses it. With
 * `statuses`, it reads the index of each status and merges the results, so a rare status needs no scan over the others.
 */
export async function listDocuments<Row>(
  db: Queryable,
  accountId: string,
  page: PageRequest,
  statuses: readonly DocumentStatus[] | null,
  row: (values: readonly unknown[]) => Row,
): Promise<Row[]> {
  const upwards = page.position.kind === 'ending_at';
  const bound = { start: 'true', after: 'id < $3', ending_at: 'id >= $3' }[page.position.kind];
  const order = `order by id ${upwards ? 'asc' : 'desc'} limit $2`;
  const values = [
    accountId,
    upwards ? page.limit : page.limit + 1,
    ...(page.position.kind === 'start' ? [] : [page.position.id]),
  ];
  const where = `account_id = $1 and ${visible} and ${bound}`;
  if (statuses === null) {
    return db.query<Row>({
      name: `list_documents_${page.position.kind}`,
      text: `select ${jsonColumns} from documents where ${where} ${order}`,
      values,
      row,
    });
  }
  return db.query<Row>({
    name: `list_documents_${page.position.kind}_by_status`,
    text: `select ${jsonColumns.replaceAll(/(\w+)/g, 'd.$1')} from unnest($${values.length + 1}::text[]) as wanted (status)
           cross join lateral (
             select ${jsonColumns} from documents where ${where} and documents.status = wanted.status ${order}
           ) d ${order}`,
    values: [...values, statuses],
    row,
  });
}
