import { isHidden } from '../accounts/document-access.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Document } from './document.ts';

/** A document as the page of its mirror, or of the document it mirrors, shows it. */
export type RelatedDocument = Pick<Document, 'id' | 'title' | 'status'> & {
  /** Whether the reader may not see it. */
  is_hidden: boolean;
};

const columns = `d.id, d.title, d.status, ${isHidden('d', '$3')} as is_hidden`;

/** Finds the document that another one mirrors, by its `mirrors_document_id`. `readerId`: from `readerIdOf`. */
export async function findMirrored(
  db: Queryable,
  accountId: string,
  id: string,
  readerId: string | null,
): Promise<RelatedDocument | null> {
  const rows = await db.query<RelatedDocument>({
    name: 'find_mirrored',
    text: `select ${columns} from documents d where d.account_id = $1 and d.id = $2`,
    values: [accountId, id, readerId],
  });
  return rows[0] ?? null;
}

/** Lists the mirrors of a document that the reader sees, newest first. `readerId`: from `readerIdOf`. */
export function listMirrors(
  db: Queryable,
  accountId: string,
  id: string,
  readerId: string | null,
  limit: number,
): Promise<RelatedDocument[]> {
  return db.query<RelatedDocument>({
    name: 'list_mirrors',
    text: `select ${columns} from documents d
           where d.account_id = $1 and d.mirrors_document_id = $2 and not d.is_template
             and not ${isHidden('d', '$3')} order by d.id desc limit $4`,
    values: [accountId, id, readerId, limit],
  });
}
