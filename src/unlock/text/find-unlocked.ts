import { lockDocumentShared } from '../../documents/queries.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';

/** A document whose file is unlocked, from `document_unlocks`. */
export interface Unlocked {
  document_id: string;
  account_id: string;
  /** The file that was unlocked. It is the document's file, unless a PDF made of its text has replaced it. */
  source_sha256: Buffer;
  /** Its pages as unlocked, in the file store. */
  sha256: Buffer;
  pages: number;
  /** Counts the changes of its text. */
  version: number;
  rendered_sha256: Buffer | null;
  rendered_version: number | null;
  /** Width and height of each of its pages, in points. */
  rendered_pages: Array<[number, number]> | null;
  rendered_bytes: number | null;
  used_sha256: Buffer | null;
}

const found = `select u.document_id, u.account_id, u.source_sha256, u.sha256, u.pages, u.version, u.rendered_sha256,
    u.rendered_version, u.rendered_pages, u.used_sha256, s.bytes as rendered_bytes
  from document_unlocks u
  join document_files f on f.document_id = u.document_id and f.sha256 in (u.source_sha256, u.used_sha256)
  left join stored_files s on s.sha256 = u.rendered_sha256
  where u.account_id = $1 and u.document_id = $2 and u.status = 'unlocked'`;

/** Null for a document whose file is not unlocked. */
export async function findUnlocked(db: Queryable, accountId: string, documentId: string): Promise<Unlocked | null> {
  const rows = await db.query<Unlocked>({ name: 'find_unlocked', text: found, values: [accountId, documentId] });
  return rows[0] ?? null;
}

/** Like `findUnlocked`, but locks the text against other changes. */
export async function lockUnlocked(tx: Tx, accountId: string, documentId: string): Promise<Unlocked | null> {
  await lockDocumentShared(tx, accountId, documentId);
  const rows = await tx.query<Unlocked>({
    name: 'lock_unlocked',
    text: `${found} for update of u`,
    values: [accountId, documentId],
  });
  return rows[0] ?? null;
}
