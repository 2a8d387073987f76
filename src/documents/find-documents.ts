import type { Queryable } from '../postgres/database.ts';
import { documentJsonRow } from './json.ts';
import { listDocuments } from './queries.ts';
import { type DocumentSearch, type FoundDocuments, searchDocuments } from './search-documents.ts';

/**
 * Returns a page of documents, newest first: those that match the search words, or all if there are none. Leaves out
 * templates and restricted documents.
 */
export async function findDocuments(db: Queryable, accountId: string, search: DocumentSearch): Promise<FoundDocuments> {
  if (search.words.length > 0) return searchDocuments(db, accountId, search);
  const { statuses, after, limit } = search;
  const position = after === null ? ({ kind: 'start' } as const) : ({ kind: 'after', id: after } as const);
  const rows = await listDocuments(db, accountId, { limit, position }, statuses, documentJsonRow);
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Returns which of these documents were sent with a test key. They deliver no e-mail or SMS. */
export async function listSentInTestMode(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'list_sent_in_test_mode',
    text: `select id from documents where account_id = $1 and id = any ($2) and sent_mode = 'test'`,
    values: [accountId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}
