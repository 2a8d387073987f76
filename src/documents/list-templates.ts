import { isInSeenFolder } from '../accounts/document-access.ts';
import type { Queryable } from '../postgres/database.ts';
import { likePattern } from './document-filter.ts';
import { type DocumentJsonRow, documentJsonColumns, documentJsonRow } from './json.ts';

export interface TemplateSearch {
  /** Words that must all occur in the title, or in the name or role of a recipient. */
  words: readonly string[];
  /** The id of a folder, or `none`. Null: all. */
  folder: string | null;
  /** Who reads, from `readerIdOf`. */
  readerId: string | null;
  /** The id of the last template of the previous page. Null for the first page. */
  after: string | null;
  limit: number;
}

/** Returns a page of templates, newest first. Leaves out restricted ones, as every list does, and those in folders the reader does not see. */
export function listTemplates(
  db: Queryable,
  accountId: string,
  { words, folder, readerId, after, limit }: TemplateSearch,
): Promise<DocumentJsonRow[]> {
  return db.query<DocumentJsonRow>({
    name: 'list_templates',
    text: `select ${documentJsonColumns.map((column) => `d.${column}`).join(', ')} from documents d
           where d.account_id = $1 and d.is_template and d.status <> 'voided' and d.restricted_kind is null
             and ($2::uuid is null or d.id < $2) and ${isInSeenFolder('d', '$5')}
             and ($6::text is null or coalesce(d.folder_id::text, 'none') = $6)
             and (cardinality($3::text[]) = 0 or concat_ws(' ', d.title, (
               select string_agg(concat_ws(' ', r.display_name, r.party_role), ' ') from recipients r
               where r.document_id = d.id
             )) ilike all ($3::text[]))
           order by d.id desc limit $4`,
    values: [accountId, after, words.map(likePattern), limit, readerId, folder],
    row: documentJsonRow,
  });
}
