import type { Queryable } from '../postgres/database.ts';
import type { DocumentStatus } from './document.ts';
import { type DocumentJsonRow, documentJsonColumns, documentJsonRow } from './json.ts';

export interface DocumentSearch {
  /** Each must be somewhere in the title, or in the name or address of a party, in any case. */
  words: readonly string[];
  /** Null: every status. */
  statuses: readonly DocumentStatus[] | null;
  /** The position to go on from; null for the newest. */
  after: string | null;
  limit: number;
}

export interface FoundDocuments {
  rows: DocumentJsonRow[];
  /** The position to go on from; null when every document was looked at. */
  next: string | null;
}

/** So that an answer is there in a blink, however many documents there are and however few of them are meant. */
const lookedAtMax = 3000;

const wordsMax = 8;

/** What somebody typed, as words to look for. */
export function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
}

/**
 * Walks from the newest to the oldest through a bounded number of documents, so it costs neither an index that every
 * write would pay for, nor more than that much time. A page may hold fewer than `limit` although more follow: who wants
 * them asks on. Templates and sensitive papers are left out.
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
    values: [accountId, after, lookedAtMax, words.map(likePattern), limit, ...(statuses === null ? [] : [statuses])],
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

/** Each status by an index of its own, so that a rare one costs no walk over the others. */
const walkOfStatuses = `select d.* from unnest($6::text[]) as wanted (status)
  cross join lateral (${walkOf('documents.status = wanted.status')}) d order by d.id desc limit $3`;

export function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}
