import { hasHiddenFolders } from '../accounts/document-access.ts';
import type { Queryable } from '../postgres/database.ts';
import { type DocumentStatus, documentStatuses } from './document.ts';
import { type DocumentFilter, matches, openValues, walk } from './document-filter.ts';
import { documentsReadMax } from './search-documents.ts';

/** How many documents have a status. */
export interface StatusCount {
  count: number;
  /** Whether counting stopped before all documents were read. There may be more. */
  is_more: boolean;
}

/** Counting the documents of a status stops here. */
const statusCountMax = 1000;

/**
 * Counts the documents of a filter by status, whatever statuses it has. Without other conditions each count is exact up to
 * `statusCountMax`. Otherwise, and if there are folders that the reader does not see, the newest `documentsReadMax` documents are
 * counted. Leaves out templates and restricted documents.
 */
export async function countDocuments(
  db: Queryable,
  accountId: string,
  filter: DocumentFilter,
): Promise<Record<DocumentStatus, StatusCount>> {
  const isWalk = hasConditions(filter) || (await hasHiddenFolders(db, accountId, filter.readerId));
  const rows = await (isWalk ? countNewest(db, accountId, { ...filter, statuses: null }) : countAll(db, accountId));
  const isCut = isWalk && rows.reduce((sum, { read }) => sum + read, 0) === documentsReadMax;
  const counts = documentStatuses.map((status) => {
    const n = rows.find((row) => row.status === status)?.n ?? 0;
    return [status, { count: Math.min(n, statusCountMax), is_more: isCut || n > statusCountMax }];
  });
  return Object.fromEntries(counts) as Record<DocumentStatus, StatusCount>;
}

/** Whether a filter has conditions other than statuses and its reader. */
function hasConditions(filter: DocumentFilter): boolean {
  const { words, type, sender, recipient, isScheduled, folder, createdFrom, createdBefore } = filter;
  return (
    words.length > 0 ||
    recipient.length > 0 ||
    isScheduled ||
    [type, sender, folder, createdFrom, createdBefore].some((condition) => condition !== null)
  );
}

interface CountRow {
  status: DocumentStatus;
  n: number;
  read: number;
}

/** Reads the index of each status. */
function countAll(db: Queryable, accountId: string): Promise<CountRow[]> {
  return db.query<CountRow>({
    name: 'count_documents',
    text: `select s.status, 0 as read, (
             select count(*)::int from (
               select 1 from documents d
               where d.account_id = $1 and not d.is_template and d.restricted_kind is null and d.status = s.status limit $3
             ) bounded
           ) as n from unnest($2::text[]) as s (status)`,
    values: [accountId, documentStatuses, statusCountMax + 1],
  });
}

function countNewest(db: Queryable, accountId: string, filter: DocumentFilter): Promise<CountRow[]> {
  const values = openValues(accountId);
  const walked = walk(filter, 'newest', null, values.add(documentsReadMax), values);
  return db.query<CountRow>({
    name: '',
    text: `select w.status, count(*)::int as read, (count(*) filter (where ${matches(filter, values)}))::int as n
           from (${walked}) w group by w.status`,
    values: values.list,
  });
}
