import type { Queryable } from '../postgres/database.ts';
import type { Document } from './document.ts';

/** As much of a document as is said of it beside the one it belongs to. */
export type RelatedDocument = Pick<Document, 'id' | 'title' | 'status' | 'restricted_kind'>;

const columns = 'id, title, status, restricted_kind';

/** What a document mirrors, by `mirrors_document_id`. */
export async function findMirrored(db: Queryable, accountId: string, id: string): Promise<RelatedDocument | null> {
  const rows = await db.query<RelatedDocument>({
    name: 'find_mirrored',
    text: `select ${columns} from documents where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** The mirrors of a document, the newest first. */
export function listMirrors(db: Queryable, accountId: string, id: string, limit: number): Promise<RelatedDocument[]> {
  return db.query<RelatedDocument>({
    name: 'list_mirrors',
    text: `select ${columns} from documents
           where account_id = $1 and mirrors_document_id = $2 and not is_template order by id desc limit $3`,
    values: [accountId, id, limit],
  });
}
