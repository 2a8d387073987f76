import type { Queryable } from '../postgres/database.ts';
import type { DocumentStatus } from './document.ts';
import { type DocumentJsonRow, documentJsonColumns, documentJsonRow } from './json.ts';

export interface DocumentSearch {
  /**
   * Words that must all occur in the title, the id, or the name, e-mail address or phone number of a recipient. Upper and
   * lower case are the same.
   */
  words: readonly string[];
  /**
   * On the first page, documents whose title begins with this text come first, the exact title before longer ones. They are
   * found by an index, however old they are. Ignored if null, or if a page has fewer than `titledMax` rows.
   */
  title: string | null;
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
const documentsReadMax = 10_000;

/** So many documents whose title begins with the text come first. */
const titledMax = 5;

/** The position before the newest document. */
const startId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const wordsMax = 8;

/** Splits the text of a search box into words. Ignores words beyond `wordsMax`. */
export function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
}

/**
 * Searches a limited number of documents from newest to oldest. The search for words needs no index, which would slow down
 * every write, and takes a limited time. A page may have fewer rows than `limit` although more follow: continue with `next`
 * until it is null. Leaves out templates and restricted documents.
 */
export async function searchDocuments(
  db: Queryable,
  accountId: string,
  { words, title, statuses, after, limit }: DocumentSearch,
): Promise<FoundDocuments> {
  const columns = documentJsonColumns.map((column) => `d.${column}`).join(', ');
  const rows = await db.query<FoundRow>({
    name: statuses === null ? 'search_documents' : 'search_documents_by_status',
    text: `with titled as materialized (
             ${titledOf(statuses === null ? 'true' : 'status = any ($7::text[])')}
           ), walked as materialized (
             ${statuses === null ? walkOf('true') : walkOfStatuses}
           ), found as (
             select * from walked w
             where concat_ws(' ', w.title, w.id, (
               select string_agg(concat_ws(' ', r.display_name, r.email, r.phone), ' ') from recipients r
               where r.document_id = w.id
             )) ilike all ($4::text[]) and w.id not in (select id from titled)
             order by id desc limit $5 + 1
           ), listed as (
             select t.*, row_number() over (order by ${titleKey}, id desc) as place from titled t where $2::uuid is null
             union all
             select f.*, null from found f
           ), walk as (
             select (select id from walked order by id limit 1) as last, (select count(*) from walked) < $3 as is_last
           )
           select ${columns}, d.place is not null, walk.last, walk.is_last from walk left join listed d on true
           order by d.place, d.id desc`,
    values: [
      accountId,
      after,
      documentsReadMax,
      words.map(likePattern),
      limit,
      limit < titledMax ? null : title,
      ...(statuses === null ? [] : [statuses]),
    ],
    row: (values) => ({
      found: values[0] === null ? null : documentJsonRow(values),
      isTitled: values.at(-3) as boolean,
      last: values.at(-2) as string | null,
      isLast: values.at(-1) as boolean,
    }),
  });
  const found = rows.filter(({ found }) => found !== null);
  const page = found.slice(0, limit);
  const { last = null, isLast = true } = rows[0] ?? {};
  return {
    rows: page.map((row) => row.found as DocumentJsonRow),
    next: found.length > limit ? positionAfter(page.at(-1)) : isLast ? null : last,
  };
}

/** A row of the answer. `found` is null if no document was found. */
interface FoundRow {
  found: DocumentJsonRow | null;
  isTitled: boolean;
  last: string | null;
  isLast: boolean;
}

/** The walk has not begun if a page has only documents that were found by their title. */
function positionAfter(row: FoundRow | undefined): string {
  return row?.found == null || row.isTitled ? startId : row.found.id;
}

/** As in the index `documents_by_title`. */
const titleKey = 'lower(title) collate "C"';

/** Reads the range of the index that holds titles with this beginning. U+10FFFF sorts after every other character. */
function titledOf(condition: string): string {
  return `select * from (
            select * from documents
            where account_id = $1 and not is_template and restricted_kind is null
              and ${titleKey} >= lower($6::text) and ${titleKey} < lower($6::text) || chr(1114111)
            order by ${titleKey}, id desc limit $3
          ) ranged where ${condition} order by ${titleKey}, id desc limit ${titledMax}`;
}

function walkOf(condition: string): string {
  return `select * from documents
          where account_id = $1 and not is_template and restricted_kind is null
            and ($2::uuid is null or id < $2) and ${condition} order by id desc limit $3`;
}

/** Reads the index of each status, so that a rare status needs no scan over the others. */
const walkOfStatuses = `select d.* from unnest($7::text[]) as wanted (status)
  cross join lateral (${walkOf('documents.status = wanted.status')}) d order by d.id desc limit $3`;

/** Returns a `like` pattern for text that contains the word. */
export function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}
