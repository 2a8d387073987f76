import { documentStatuses } from '../../documents/document.ts';
import { findDocuments } from '../../documents/find-documents.ts';
import { listRecipients, listRecipientsOfDocuments } from '../../documents/queries.ts';
import { listEnvelope, readPageRequest, readStatusFilter } from '../../http/page-request.ts';
import { type ConsoleDeps, type ConsoleEndpoint, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readWords } from '../core/read-words.ts';
import { documentSummary } from './document-views.ts';
import { findOwnDocument } from './own-document.ts';
import { readTimeline } from './timeline.ts';
import { viewDocument } from './view-document.ts';

/** Reading the documents of the company. */
export const documentEndpoints: ConsoleEndpoint[] = [
  forMembers('GET /documents', 'member', {}, listPage),
  forMembers('GET /documents/:id', 'member', {}, show),
  forMembers('GET /documents/:id/timeline', 'member', {}, showTimeline),
];

/** Lists documents. `q`: search words; `status`: comma-separated. A page of a search may be short although more follow. */
async function listPage({ db, cursors }: ConsoleDeps, { caller, query }: MemberCall) {
  const accountId = caller.membership.account_id;
  const scope = { accountId, list: 'console documents' };
  const page = readPageRequest(query, cursors, scope);
  if (page.position.kind === 'ending_at') throw new ConsoleError('invalid_input', { param: 'ending_before' });
  const statuses = readStatusFilter(query.status, documentStatuses);
  const words = readWords(query.q);
  const after = page.position.kind === 'after' ? page.position.id : null;
  const { rows, next } = await findDocuments(db, accountId, { words, statuses, after, limit: page.limit });
  const ids = rows.map(({ id }) => id);
  const recipients = Map.groupBy(await listRecipientsOfDocuments(db, accountId, ids), ({ document_id }) => document_id);
  const data = rows.map((row) => documentSummary(row, recipients.get(row.id) ?? []));
  return listEnvelope(data, next !== null, () => cursors.encode(scope, next ?? ''));
}

async function show({ db }: ConsoleDeps, call: MemberCall) {
  return viewDocument(db, call, await findOwnDocument(db, call));
}

/** Lists the history of a document, newest first. */
async function showTimeline({ db, cursors }: ConsoleDeps, call: MemberCall) {
  const document = await findOwnDocument(db, call);
  const scope = { accountId: document.account_id, list: `console timeline ${document.id}` };
  const { limit, position } = readPageRequest(call.query, cursors, scope);
  if (position.kind === 'ending_at') throw new ConsoleError('invalid_input', { param: 'ending_before' });
  const recipients = await listRecipients(db, document.account_id, document.id);
  const before = position.kind === 'after' ? seqOf(position.id) : null;
  const entries = await readTimeline(db, document, recipients, { before, limit: limit + 1 });
  const page = entries.slice(0, limit);
  return listEnvelope(page, entries.length > limit, () => cursors.encode(scope, positionOf(page.at(-1)?.seq ?? 0)));
}

/** Writes a sequence number as an id, because cursors contain ids. */
function positionOf(seq: number): string {
  return `00000000-0000-0000-0000-${String(seq).padStart(12, '0')}`;
}

function seqOf(position: string): number {
  return Number(position.slice(-12));
}
