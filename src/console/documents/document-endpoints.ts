import { documentStatuses } from '../../documents/document.ts';
import { findDocuments, listSentInTestMode } from '../../documents/find-documents.ts';
import { listRecipients, listRecipientsOfDocuments } from '../../documents/queries.ts';
import { splitWords } from '../../documents/search-documents.ts';
import { readStatusFilter } from '../../http/page-request.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { openList } from '../core/open-list.ts';
import { readSearchText } from '../core/read-words.ts';
import { documentSummary } from './document-views.ts';
import { findOwnDocument } from './own-document.ts';
import { readTimeline } from './timeline.ts';
import { viewDocument } from './view-document.ts';

/** Reading the documents of the company. */
export const documentEndpoints = [
  forMembers('GET /documents', 'member', {}, listPage),
  forMembers('GET /documents/:id', 'member', {}, show),
  forMembers('GET /documents/:id/timeline', 'member', {}, showTimeline),
];

/**
 * Lists documents. `q`: search words; `status`: comma-separated. A page of a search may be short although more follow.
 * Documents whose title begins with `q` come first.
 */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const { db } = deps;
  const { accountId, limit, afterId, answer } = openList(deps, call, 'console documents');
  const statuses = readStatusFilter(call.query.status, documentStatuses);
  const title = readSearchText(call.query.q);
  const search = { words: splitWords(title), title, statuses, after: afterId, limit };
  const { rows, next } = await findDocuments(db, accountId, search);
  const ids = rows.map(({ id }) => id);
  const [all, inTestMode] = await Promise.all([
    listRecipientsOfDocuments(db, accountId, ids),
    listSentInTestMode(db, accountId, ids),
  ]);
  const recipients = Map.groupBy(all, ({ document_id }) => document_id);
  const data = rows.map((row) => documentSummary(row, recipients.get(row.id) ?? [], inTestMode.has(row.id)));
  return answer(data, next);
}

async function show({ db }: ConsoleDeps, call: MemberCall) {
  return viewDocument(db, call, await findOwnDocument(db, call));
}

/** Lists the history of a document, newest first. */
async function showTimeline(deps: ConsoleDeps, call: MemberCall) {
  const { db } = deps;
  const document = await findOwnDocument(db, call);
  const { limit, afterId, answer } = openList(deps, call, `console timeline ${document.id}`);
  const recipients = await listRecipients(db, document.account_id, document.id);
  const before = afterId === null ? null : seqOf(afterId);
  const entries = await readTimeline(db, document, recipients, { before, limit: limit + 1 });
  const page = entries.slice(0, limit);
  return answer(page, entries.length > limit ? positionOf(page.at(-1)?.seq ?? 0) : null);
}

/** Writes a sequence number as an id, because cursors contain ids. */
function positionOf(seq: number): string {
  return `00000000-0000-0000-0000-${String(seq).padStart(12, '0')}`;
}

function seqOf(position: string): number {
  return Number(position.slice(-12));
}
