import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { Field } from './field.ts';

/** The PDF attached to a document, and the fields on it. */
export interface Attachment {
  file: DocumentFile;
  /** Sorted by the order in which they were placed. */
  fields: Field[];
}

/** One row of `document_files`. */
export interface DocumentFile {
  sha256: Buffer;
  bytes: number;
  name: string;
  page_count: number;
  /** Width and height of each page as shown, in points. */
  pages: Array<[number, number]>;
  /** Whether the PDF already has digital signatures. Sealing leaves them valid. */
  is_signed: boolean;
  attached_at: Timestamp;
}

/**
 * Reads the attached PDF of a document and the fields on it. Returns null for a document without a file: its PDF is a page
 * with its title, recipients and message.
 */
export async function readAttachment(db: Queryable, accountId: string, documentId: string): Promise<Attachment | null> {
  const file = await readDocumentFile(db, accountId, documentId);
  return file && { file, fields: await listFields(db, accountId, documentId) };
}

export async function readDocumentFile(
  db: Queryable,
  accountId: string,
  documentId: string,
): Promise<DocumentFile | null> {
  const rows = await db.query<DocumentFile>({
    name: 'read_document_file',
    text: `select f.sha256, s.bytes, f.name, f.page_count, f.pages, f.is_signed, f.attached_at
           from document_files f join stored_files s on s.sha256 = f.sha256
           where f.account_id = $1 and f.document_id = $2`,
    values: [accountId, documentId],
  });
  return rows[0] ?? null;
}

function listFields(db: Queryable, accountId: string, documentId: string): Promise<Field[]> {
  return db.query<Field>({
    name: 'list_fields',
    text: `select id, recipient_id, position, type, page, x, y, width, height, required, label, is_private, preset,
             is_fixed, number_min, number_max, decimals, options, group_name, condition_position, condition_value, formula,
             date_format, text_format, value, filled_at
           from document_fields where account_id = $1 and document_id = $2 order by position`,
    values: [accountId, documentId],
  });
}
