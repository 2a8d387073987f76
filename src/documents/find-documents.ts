import type { Queryable } from '../postgres/database.ts';
import { documentJsonRow } from './json.ts';
import { listDocuments } from './queries.ts';
import { type DocumentSearch, type FoundDocuments, searchDocuments } from './search-documents.ts';

/** A page of documents, the newest first; without words, of all of them. Templates and sensitive papers are left out. */
export async function findDocuments(db: Queryable, accountId: string, search: DocumentSearch): Promise<FoundDocuments> {
  if (search.words.length > 0) return searchDocuments(db, accountId, search);
  const { statuses, after, limit } = search;
  const position = after === null ? ({ kind: 'start' } as const) : ({ kind: 'after', id: after } as const);
  const rows = await listDocuments(db, accountId, { limit, position }, statuses, documentJsonRow);
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
