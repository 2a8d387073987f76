import type { Queryable } from '../postgres/database.ts';
import type { DocumentStatus } from './document.ts';
import { type DocumentJsonRow, documentJsonColumns, documentJsonRow } from './json.ts';

export interface DocumentSearch {
  /**
   * Words that must all occur in the title, the id, or the name, e-mail address or phone number of a recipient. Upper and
   * lower case are the same.
   */
  words: readonly string[];
  /** Null: every status. */
  statuses: readonly DocumentStatus[] | null;
  /** The position after which to continue. Null for the first page. */
  after: string | null;
  limit: number;
}

export interface FoundDocuments {
  rows: DocumentJsonRow[];
  /** The position after which to continue. Null if all documents were searched. */
  next: string | null;
}

/** One search reads at most this many documents, so it is fast even if few of many documents match. */
const documentsReadMax = 3000;

const wordsMax = 8;

/** Splits the text of a search box into words. Ignores words beyond `wordsMax`. */
export function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
}

/**
 * Searches a limited number of documents from newest to oldest. It needs no index, which would slow down every write, and
 * takes a limited time. A page may have fewer rows than `limit` although more follow: continue with `next` until it is null.
 * Leaves out templates and restricted documents.
 */
export async function searchDocuments(
  db: Queryable,
  accountId: string,
  { words, statuses, after, limit }: DocumentSearch,
): Promise<FoundDocuments> {
  const columns = documentJsonColumns.map((column) => `d.${column}`).join(', ');
  const rows = await db.query<{ found: DocumentJsonRow | null; last: string | null; isLast: boolean }>({
    name: statuses === null ? 'search_documents' : 'search_documents_by_status',
    text: `with walked as materialized (
             ${statuses === null ? walkOf('true') : walkOfStatuses}
           ), found as (
             select * from walked w
             where concat_ws(' ', w.title, w.id, (
               select string_agg(concat_ws(' ', r.display_name, r.email, r.phone), ' ') from recipients r
               where r.document_id = w.id
             )) ilike all ($4::text[])
             order by id desc limit $5 + 1
           ), walk as (
             select (select id from walked order by id limit 1) as last, (select count(*) from walked) < $3 as is_last
           )
           select ${columns}, walk.last, walk.is_last from walk left join found d on true order by d.id desc`,
    values: [
      accountId,
      after,
      documentsReadMax,
      words.map(likePattern),
      limit,
      ...(statuses === null ? [] : [statuses]),
    ],
    row: (values) => ({
      found: values[0] === null ? null : documentJsonRow(values),
      last: values.at(-2) as string | null,
      isLast: values.at(-1) as boolean,
    }),
  });
  const found = rows.flatMap((row) => row.found ?? []);
  const page = found.slice(0, limit);
  if (found.length > limit) return { rows: page, next: (page.at(-1) as DocumentJsonRow).id };
  const { last = null, isLast = true } = rows[0] ?? {};
  return { rows: page, next: isLast ? null : last };
}

function walkOf(condition: string): string {
  return `select * from documents
          where account_id = $1 and not is_template and restricted_kind is null
            and ($2::uuid is null or id < $2) and ${condition} order by id desc limit $3`;
}

/** Reads the index of each status, so that a rare status needs no scan over the others. */
const walkOfStatuses = `select d.* from unnest($6::text[]) as wanted (status)
  cross join lateral (${walkOf('documents.status = wanted.status')}) d order by d.id desc limit $3`;

/** Returns a `like` pattern for text that contains the word. */
export function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}
