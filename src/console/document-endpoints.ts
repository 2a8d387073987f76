import { documentStatuses } from '../documents/document.ts';
import type { DocumentJsonRow } from '../documents/json.ts';
import { listDocuments, listRecipientsOf } from '../documents/queries.ts';
import { type FoundDocuments, searchDocuments, wordsMax } from '../documents/search-documents.ts';
import { listEnvelope, readPageRequest, readStatusFilter } from '../http/page-request.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { documentSummary } from './document-views.ts';

/** What members see of the documents of their company. */
export const documentEndpoints: ConsoleEndpoint[] = [forMembers('GET /documents', 'member', {}, listPage)];

/** `q`: words to look for; `status`: comma-separated. A page of a search may be short, or empty, although more follow. */
async function listPage({ db, cursors }: ConsoleMeans, { caller, query }: MemberCall) {
  const accountId = caller.membership.account_id;
  const scope = { accountId, list: 'console documents' };
  const page = readPageRequest(query, cursors, scope);
  if (page.position.kind === 'ending_at') throw new ConsoleError('invalid_input', { param: 'ending_before' });
  const statuses = readStatusFilter(query.status, documentStatuses);
  const words = readWords(query.q);
  const after = page.position.kind === 'after' ? page.position.id : null;
  const { rows, next } =
    words.length === 0
      ? firstOf(page.limit, await listDocuments(db, accountId, page, statuses))
      : await searchDocuments(db, accountId, { words, statuses, after, limit: page.limit });
  const ids = rows.map(({ id }) => id);
  const recipients = Map.groupBy(await listRecipientsOf(db, accountId, ids), ({ document_id }) => document_id);
  const data = rows.map((row) => documentSummary(row, recipients.get(row.id) ?? []));
  return listEnvelope(data, next !== null, () => cursors.encode(scope, next ?? ''));
}

function firstOf(limit: number, rows: DocumentJsonRow[]): FoundDocuments {
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

const wordsLengthMax = 200;

function readWords(q: string | string[] | undefined): string[] {
  if (q === undefined) return [];
  if (typeof q !== 'string' || q.length > wordsLengthMax || !q.isWellFormed() || q.includes('\u0000')) {
    throw new ConsoleError('invalid_input', { param: 'q' });
  }
  return q
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
}
