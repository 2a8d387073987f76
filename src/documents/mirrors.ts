import type { Queryable } from '../postgres/database.ts';
import type { Document } from './document.ts';

/** A document as the page of its mirror, or of the document it mirrors, shows it. */
export type RelatedDocument = Pick<Document, 'id' | 'title' | 'status' | 'restricted_kind'>;

const columns = 'id, title, status, restricted_kind';

/** Finds the document that another one mirrors, by its `mirrors_document_id`. */
export async function findMirrored(db: Queryable, accountId: string, id: string): Promise<RelatedDocument | null> {
  const rows = await db.query<RelatedDocument>({
    name: 'find_mirrored',
    text: `select ${columns} from documents where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** Lists the mirrors of a document, newest first. */
export function listMirrors(db: Queryable, accountId: string, id: string, limit: number): Promise<RelatedDocument[]> {
  return db.query<RelatedDocument>({
    name: 'list_mirrors',
    text: `select ${columns} from documents
           where account_id = $1 and mirrors_document_id = $2 and not is_template order by id desc limit $3`,
    values: [accountId, id, limit],
  });
}
