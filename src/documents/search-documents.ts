import type { Queryable } from '../postgres/database.ts';
import {
  type DocumentFilter,
  type DocumentSort,
  type ListPosition,
  matches,
  openValues,
  orderOf,
  titleKey,
  type Values,
  walk,
} from './document-filter.ts';
import { type DocumentJsonRow, documentJsonColumns, documentJsonRow } from './json.ts';

export interface DocumentSearch {
  filter: DocumentFilter;
  sort: DocumentSort;
  /**
   * On the first page of the newest, documents whose title begins with this text come first, the exact title before longer
   * ones. They are found by an index, however old they are. Ignored if null or empty, or if a page has fewer than
   * `titledMax` rows.
   */
  title: string | null;
  /** The position after which to continue. Null for the first page. */
  after: ListPosition | null;
  limit: number;
}

export interface FoundDocuments {
  rows: DocumentJsonRow[];
  /** The position after which to continue. Null if all documents were searched. */
  next: ListPosition | null;
}

/** One search reads at most this many documents, so it is fast even if few of many documents match. */
export const documentsReadMax = 10_000;

/** So many documents whose title begins with the text come first. */
const titledMax = 5;

/** The position before the newest document. */
const startId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Searches a limited number of documents in the order of an index. The search for words and recipients needs no index of its
 * own, which would slow down every write, and takes a limited time. A page may have fewer rows than `limit` although more
 * follow: continue with `next` until it is null. Leaves out templates and restricted documents.
 */
export async function searchDocuments(
  db: Queryable,
  accountId: string,
  { filter, sort, title, after, limit }: DocumentSearch,
): Promise<FoundDocuments> {
  const values = openValues(accountId);
  const rowsMax = values.add(documentsReadMax);
  const wanted = values.add(limit);
  const walked = walk(filter, sort, after, rowsMax, values);
  const condition = matches(filter, values);
  const order = orderOf[sort];
  const titled =
    title && sort === 'newest' && limit >= titledMax
      ? titledOf(values.add(title), rowsMax, condition)
      : 'select documents.*, null as walk_key from documents where false';
  const rows = await db.query<FoundRow>({
    // Without a name it is planned for these values. A plan for all values might not stop when the page is full.
    name: '',
    text: `with titled as materialized (${titled}), found as materialized (
             select w.* from (${walked}) w where ${condition} and w.id not in (select id from titled)
             order by ${order} limit ${wanted} + 1
           ), listed as (
             select t.*, row_number() over (order by ${titleKey}, id desc) as place from titled t
             where ${after === null ? 'true' : 'false'}
             union all
             select f.*, null from found f
           )
           select ${documentJsonColumns.map((column) => `d.${column}`).join(', ')}, d.place is not null, d.walk_key,
             ending.id, ending.walk_key
           from (select (select count(*) from found) <= ${wanted} as is_short) page
             left join lateral (
               select id, walk_key from (${walked}) w where page.is_short
               order by ${order} offset ${rowsMax} - 1 limit 1
             ) ending on true
             left join listed d on true
           order by d.place, ${order.replaceAll(/\b(id|updated_at|title)\b/g, 'd.$1')}`,
    values: values.list,
    row: (row) => ({
      found: row[0] === null ? null : documentJsonRow(row),
      isTitled: row.at(-4) as boolean,
      key: row.at(-3) as string | null,
      end: row.at(-2) === null ? null : { id: row.at(-2) as string, key: row.at(-1) as string | null },
    }),
  });
  const found = rows.filter(({ found }) => found !== null);
  const page = found.slice(0, limit);
  return {
    rows: page.map((row) => row.found as DocumentJsonRow),
    next: found.length > limit ? positionAfter(page.at(-1)) : (rows[0]?.end ?? null),
  };
}

/** A row of the answer. `found` is null if no document was found. */
interface FoundRow {
  found: DocumentJsonRow | null;
  isTitled: boolean;
  key: string | null;
  /** The last document that was read, if the search ended before it had a page. */
  end: ListPosition | null;
}

/** The walk has not begun if a page has only documents that were found by their title. */
function positionAfter(row: FoundRow | undefined): ListPosition {
  return row?.found == null || row.isTitled ? { id: startId, key: null } : { id: row.found.id, key: row.key };
}

/** Reads the range of the index that holds titles with this beginning. U+10FFFF sorts after every other character. */
function titledOf(title: Values['list'][number], rowsMax: string, condition: string): string {
  return `select w.* from (
            select documents.*, null as walk_key from documents
            where account_id = $1 and not is_template and restricted_kind is null
              and ${titleKey} >= lower(${title}::text) and ${titleKey} < lower(${title}::text) || chr(1114111)
            order by ${titleKey}, id desc limit ${rowsMax}
          ) w where ${condition} order by ${titleKey}, id desc limit ${titledMax}`;
}
