import { isInSeenFolder } from '../accounts/document-access.ts';
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
 * `statusCountMax`, unless the newest `documentsReadMax` documents of a status are mostly in folders that the reader does not see.
 * Otherwise the newest `documentsReadMax` documents are counted. Leaves out templates and restricted documents.
 */
export async function countDocuments(
  db: Queryable,
  accountId: string,
  filter: DocumentFilter,
): Promise<Record<DocumentStatus, StatusCount>> {
  const isWalk = hasConditions(filter);
  const rows = await (isWalk
    ? countNewest(db, accountId, { ...filter, statuses: null })
    : countAll(db, accountId, filter.readerId));
  const isCut = isWalk && rows.reduce((sum, { read }) => sum + read, 0) === documentsReadMax;
  const counts = documentStatuses.map((status) => {
    const { n, is_cut } = rows.find((row) => row.status === status) ?? { n: 0, is_cut: false };
    return [status, { count: Math.min(n, statusCountMax), is_more: isCut || is_cut || n > statusCountMax }];
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
  /** Whether counting this status stopped before all of its documents were read. */
  is_cut: boolean;
}

/** Reads the index of each status, until enough documents are found. */
function countAll(db: Queryable, accountId: string, readerId: string | null): Promise<CountRow[]> {
  const ofStatus = `from documents d
    where d.account_id = $1 and not d.is_template and d.restricted_kind is null and d.status = s.status`;
  return db.query<CountRow>({
    name: 'count_documents',
    text: `select s.status, 0 as read, c.n,
             ($4::uuid is not null and c.n < $3 and exists (select ${ofStatus} order by d.id desc offset $5)) as is_cut
           from unnest($2::text[]) as s (status) cross join lateral (
             select count(*)::int as n from (
               select from (select d.folder_id ${ofStatus} order by d.id desc limit $5) d where ${isInSeenFolder('d', '$4')} limit $3
             ) bounded
           ) c`,
    values: [accountId, documentStatuses, statusCountMax + 1, readerId, documentsReadMax],
  });
}

function countNewest(db: Queryable, accountId: string, filter: DocumentFilter): Promise<CountRow[]> {
  const values = openValues(accountId);
  const walked = walk(filter, 'newest', null, values.add(documentsReadMax), values);
  return db.query<CountRow>({
    name: '',
    text: `select w.status, count(*)::int as read, false as is_cut, (count(*) filter (where ${matches(filter, values)}))::int as n
           from (${walked}) w group by w.status`,
    values: values.list,
  });
}
