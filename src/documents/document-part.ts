import type { Queryable, Tx } from '../postgres/database.ts';
import type { FileContent } from './stored-files.ts';

/**
 * One of several files that a document's attached file was joined from: a row of `document_parts`. A document with one file has
 * no parts.
 */
export interface DocumentPart extends FileContent {
  /** From 1. */
  position: number;
  name: string;
  /** The page of the attached file on which it begins, from 1. */
  first_page: number;
  page_count: number;
}

export const partsMax = 20;

/** Reads the parts of a document in their order. Empty for a document with one file, or none. */
export function readParts(db: Queryable, accountId: string, documentId: string): Promise<DocumentPart[]> {
  return db.query<DocumentPart>({
    name: 'read_parts',
    text: `select p.position, p.sha256, s.bytes, p.name, p.first_page, p.page_count
           from document_parts p join stored_files s on s.sha256 = p.sha256
           where p.account_id = $1 and p.document_id = $2 order by p.position`,
    values: [accountId, documentId],
  });
}

/** Inserts the parts of a document that has none. The caller has retained their files, and holds the document's lock. */
export async function insertParts(
  tx: Tx,
  { id, account_id }: { id: string; account_id: string },
  parts: readonly DocumentPart[],
): Promise<void> {
  if (parts.length === 0) return;
  await tx.query({
    name: 'insert_parts',
    text: `insert into document_parts (document_id, account_id, position, sha256, name, first_page, page_count)
           select $1, $2, p.* from unnest($3::smallint[], $4::bytea[], $5::text[], $6::int[], $7::int[]) as p`,
    values: [
      id,
      account_id,
      parts.map(({ position }) => position),
      parts.map(({ sha256 }) => sha256),
      parts.map(({ name }) => name),
      parts.map(({ first_page }) => first_page),
      parts.map(({ page_count }) => page_count),
    ],
  });
}

/** Deletes the parts of a document, and returns the hash of each file, whose reference the caller releases. */
export async function deleteParts(tx: Tx, { id, account_id }: { id: string; account_id: string }): Promise<Buffer[]> {
  const deleted = await tx.query<{ sha256: Buffer }>({
    name: 'delete_parts',
    text: 'delete from document_parts where account_id = $1 and document_id = $2 returning sha256',
    values: [account_id, id],
  });
  return deleted.map(({ sha256 }) => sha256);
}

/** Returns a file's name as a heading: without `.pdf`. */
export function titleOf(name: string): string {
  return name.replace(/(?<=\S)\s*\.pdf$/i, '');
}

/** Returns the parts as the audit trail names them. */
export function partsDetail(parts: readonly DocumentPart[]): object {
  if (parts.length === 0) return {};
  return {
    parts: parts.map(({ name, sha256, page_count }) => ({ name, sha256: sha256.toString('hex'), pages: page_count })),
  };
}
