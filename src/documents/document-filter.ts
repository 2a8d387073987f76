import { isInSeenFolder } from '../accounts/document-access.ts';
import type { DocumentType } from '../document-types.ts';
import { firstIdAt } from '../platform/ids.ts';
import type { DocumentStatus } from './document.ts';

/** Which documents to list. Null: all. */
export interface DocumentFilter {
  /**
   * Words that must all occur in the title, the id, or the name, e-mail address or phone number of a recipient. Upper and
   * lower case are the same.
   */
  words: readonly string[];
  statuses: readonly DocumentStatus[] | null;
  type: DocumentType | null;
  /** The actor who sent the document, such as `person:…`. Leaves out drafts. */
  sender: string | null;
  /** Words that must all occur in the name, e-mail address or phone number of one recipient. */
  recipient: readonly string[];
  /** Whether to list scheduled documents only. */
  isScheduled: boolean;
  /** The id of a folder. `none`: documents in no folder. */
  folder: string | null;
  /** Who reads, from `readerIdOf`. Leaves out documents in folders that this member does not see. Null: none. */
  readerId: string | null;
  createdFrom: Date | null;
  /** Documents created at this time or later are left out. */
  createdBefore: Date | null;
}

export const everyDocument: DocumentFilter = {
  words: [],
  statuses: null,
  type: null,
  sender: null,
  recipient: [],
  isScheduled: false,
  folder: null,
  readerId: null,
  createdFrom: null,
  createdBefore: null,
};

const documentSorts = ['newest', 'oldest', 'changed', 'title'] as const;

/** `changed`: the last changed first. `title`: in the order of the letters' code points, without regard to case. */
export type DocumentSort = (typeof documentSorts)[number];

export function isDocumentSort(text: string): text is DocumentSort {
  return (documentSorts as readonly string[]).includes(text);
}

/** The position after a document in a sorted list. */
export interface ListPosition {
  id: string;
  /** What the list is sorted by. Null if sorted by id. */
  key: string | null;
}

const wordsMax = 8;

/** Splits the text of a search box into words. Ignores words beyond `wordsMax`. */
export function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
}

/** Returns a `like` pattern for text that contains the word. */
export function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The values of a statement. Adding one returns its placeholder. */
export interface Values {
  list: unknown[];
  add(value: unknown): string;
}

export function openValues(...list: unknown[]): Values {
  return { list, add: (value) => `$${list.push(value)}` };
}

/** The condition for documents that lists show. */
const visible = 'not is_template and restricted_kind is null';

/** As in the index `documents_by_title`. */
export const titleKey = 'lower(title) collate "C"';

/** The order of a list, for rows with the columns of a document. */
export const orderOf: Record<DocumentSort, string> = {
  newest: 'id desc',
  oldest: 'id asc',
  changed: 'updated_at desc, id desc',
  title: `${titleKey}, id desc`,
};

/**
 * Returns SQL that reads documents in the order of an index, the account being `$1`. It reads at most `rowsMax` rows of that
 * index. The rows have the columns of `documents`, and `walk_key` for the next position. They need `matches` too: no index
 * has all conditions.
 */
export function walk(
  filter: DocumentFilter,
  sort: DocumentSort,
  after: ListPosition | null,
  rowsMax: string,
  values: Values,
): string {
  if (sort === 'changed') return walkByChange(after, rowsMax, values);
  if (sort === 'title') return walkByTitle(after, rowsMax, values);
  const range = idRange(filter, sort, after, values);
  const order = orderOf[sort];
  if (isOneFolder(filter))
    return walkById(`folder_id = ${values.add(filter.folder)} and ${range('id')}`, order, rowsMax);
  if (filter.sender !== null) return walkOfSender(values.add(filter.sender), range, order, rowsMax);
  if (filter.statuses === null) return walkById(range('id'), order, rowsMax);
  const statuses = values.add(filter.statuses);
  if (filter.statuses.length === 1)
    return walkById(`status = (${statuses}::text[])[1] and ${range('id')}`, order, rowsMax);
  // Reads the index of each status, so that a rare status needs no scan over the others.
  return `select d.* from unnest(${statuses}::text[]) as wanted (status)
          cross join lateral (${walkById(`documents.status = wanted.status and ${range('id')}`, order, rowsMax)}) d
          order by ${order} limit ${rowsMax}`;
}

function isOneFolder({ folder }: DocumentFilter): boolean {
  return folder !== null && folder !== 'none';
}

function walkById(condition: string, order: string, rowsMax: string): string {
  return `select documents.*, null as walk_key from documents
          where account_id = $1 and ${visible} and ${condition} order by ${order} limit ${rowsMax}`;
}

/** `offset 0` keeps the planner from reading all documents to join them. */
function walkOfSender(sender: string, range: (id: string) => string, order: string, rowsMax: string): string {
  return `select d.*, null as walk_key from (
            select document_id as id from audit_entries
            where account_id = $1 and actor = ${sender} and action = 'sent' and ${range('document_id')}
            order by ${order.replace('id', 'document_id')} limit ${rowsMax}
          ) e cross join lateral (select * from documents where account_id = $1 and documents.id = e.id offset 0) d
          order by ${order.replace('id', 'e.id')}`;
}

function walkByChange(after: ListPosition | null, rowsMax: string, values: Values): string {
  const rest =
    after === null
      ? 'true'
      : `(updated_at, id) < (${values.add(after.key)}::timestamptz, ${values.add(after.id)}::uuid)`;
  return `select documents.*, updated_at::text as walk_key from documents
          where account_id = $1 and ${visible} and ${rest} order by ${orderOf.changed} limit ${rowsMax}`;
}

/** Continues in two ranges of the index: the rest of an equal title, and the titles after it. */
function walkByTitle(after: ListPosition | null, rowsMax: string, values: Values): string {
  const range = (condition: string) => `select documents.*, lower(title) as walk_key from documents
    where account_id = $1 and ${visible} and ${condition} order by ${orderOf.title} limit ${rowsMax}`;
  if (after === null) return range('true');
  const key = `${values.add(after.key)}::text`;
  const equal = range(`${titleKey} = ${key} and id < ${values.add(after.id)}::uuid`);
  return `select * from ((${equal}) union all (${range(`${titleKey} > ${key}`)})) ranges
          order by ${orderOf.title} limit ${rowsMax}`;
}

/** Ids are made before or after `created_at`, at most this much. Ids ascend even if the clock is set back. */
const idLagMs = 86_400_000;

/** The range of ids that holds the documents of a filter after a position. Ids begin with the time. */
function idRange(
  { createdFrom, createdBefore }: DocumentFilter,
  sort: DocumentSort,
  after: ListPosition | null,
  values: Values,
): (id: string) => string {
  const from = createdFrom && values.add(firstIdAt(new Date(createdFrom.getTime() - idLagMs)));
  const before = createdBefore && values.add(firstIdAt(new Date(createdBefore.getTime() + idLagMs)));
  const position = after && values.add(after.id);
  return (id) =>
    [
      'true',
      ...(from === null ? [] : [`${id} >= ${from}::uuid`]),
      ...(before === null ? [] : [`${id} < ${before}::uuid`]),
      ...(position === null ? [] : [`${id} ${sort === 'oldest' ? '>' : '<'} ${position}::uuid`]),
    ].join(' and ');
}

/** Returns SQL with the conditions of a filter for rows `w` of a walk. Subqueries read one document each. */
export function matches(filter: DocumentFilter, values: Values): string {
  const { words, statuses, type, sender, recipient, isScheduled, folder, readerId, createdFrom, createdBefore } =
    filter;
  const conditions = ['not w.is_template and w.restricted_kind is null'];
  if (statuses !== null) conditions.push(`w.status = any (${values.add(statuses)}::text[])`);
  if (isScheduled) conditions.push('w.send_at is not null');
  if (readerId !== null) conditions.push(isInSeenFolder('w', values.add(readerId)));
  if (isOneFolder(filter)) conditions.push(`w.folder_id = ${values.add(folder)}`);
  if (folder === 'none') conditions.push('w.folder_id is null');
  if (type !== null) conditions.push(`w.type = ${values.add(type)}`);
  if (createdFrom !== null) conditions.push(`w.created_at >= ${values.add(createdFrom)}`);
  if (createdBefore !== null) conditions.push(`w.created_at < ${values.add(createdBefore)}`);
  if (sender !== null) {
    conditions.push(`(select true from audit_entries e where e.account_id = $1 and e.actor = ${values.add(sender)}
      and e.action = 'sent' and e.document_id = w.id limit 1)`);
  }
  if (recipient.length > 0) {
    conditions.push(`(select bool_or(concat_ws(' ', r.display_name, r.email, r.phone)
        ilike all (${values.add(recipient.map(likePattern))}::text[]))
      from recipients r where r.document_id = w.id)`);
  }
  if (words.length > 0) {
    conditions.push(`concat_ws(' ', w.title, w.id, (
        select string_agg(concat_ws(' ', r.display_name, r.email, r.phone), ' ') from recipients r
        where r.document_id = w.id
      )) ilike all (${values.add(words.map(likePattern))}::text[])`);
  }
  return conditions.join('\n and ');
}
