import type { Queryable } from '../postgres/database.ts';
import { type DocumentJsonRow, documentJsonColumns, documentJsonRow } from './json.ts';
import { likePattern } from './search-documents.ts';

export interface TemplateSearch {
  /** Each must be somewhere in the title, or in what a party is called. */
  words: readonly string[];
  /** The position to go on from; null for the newest. */
  after: string | null;
  limit: number;
}

/** The newest first. Sensitive ones are left out, as of every list. */
export function listTemplates(
  db: Queryable,
  accountId: string,
  { words, after, limit }: TemplateSearch,
): Promise<DocumentJsonRow[]> {
  return db.query<DocumentJsonRow>({
    name: 'list_templates',
    text: `select ${documentJsonColumns.map((column) => `d.${column}`).join(', ')} from documents d
           where d.account_id = $1 and d.is_template and d.status <> 'voided' and d.restricted_kind is null
             and ($2::uuid is null or d.id < $2)
             and (cardinality($3::text[]) = 0 or concat_ws(' ', d.title, (
               select string_agg(concat_ws(' ', r.display_name, r.party_role), ' ') from recipients r
               where r.document_id = d.id
             )) ilike all ($3::text[]))
           order by d.id desc limit $4`,
    values: [accountId, after, words.map(likePattern), limit],
    row: documentJsonRow,
  });
}
