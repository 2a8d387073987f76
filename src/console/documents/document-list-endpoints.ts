import { Readable } from 'node:stream';
import { countDocuments } from '../../documents/count-documents.ts';
import type { Document } from '../../documents/document.ts';
import { type DocumentSort, isDocumentSort, type ListPosition } from '../../documents/document-filter.ts';
import { listSenders, readSenders } from '../../documents/list-senders.ts';
import { listRecipientsOfDocuments } from '../../documents/queries.ts';
import { readSending } from '../../documents/read-sending.ts';
import { searchDocuments } from '../../documents/search-documents.ts';
import { listEnvelope, readLimit } from '../../http/page-request.ts';
import { savedAs } from '../../http/saved-as.ts';
import { isUuid } from '../../platform/ids.ts';
import { readerOf } from '../core/authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { RawAnswer } from '../core/raw-answer.ts';
import { readOne } from '../core/read-filter.ts';
import { readSearchText } from '../core/read-words.ts';
import { documentSummary } from './document-views.ts';
import { exportDocuments } from './export-documents.ts';
import { findSeenDocument } from './own-document.ts';
import { readDocumentFilter } from './read-document-filter.ts';
import { findSignedFiles, zipFiles } from './zip-documents.ts';

/** The list of documents: its pages, its counts and the people in its filters. */
export const documentListEndpoints = [
  forMembers('GET /documents', 'member', {}, listPage),
  forMembers('GET /documents/counts', 'member', {}, async ({ db }, call) => {
    return { statuses: await countDocuments(db, call.caller.membership.account_id, readDocumentFilter(call)) };
  }),
  forMembers('GET /documents/senders', 'member', {}, async ({ db }, call) => {
    return { data: await listSenders(db, call.caller.membership.account_id, readerOf(call)) };
  }),
  forMembers('GET /documents/export', 'member', { isEndless: true }, exportList),
  forMembers('GET /documents/zip', 'member', { isEndless: true }, zipDocuments),
];

/**
 * Lists documents, sorted by `sort`: `newest` (default), `oldest`, `changed` or `title`. A page of a filter may be short
 * although more follow. `senders=yes` adds who sent each document. In the newest, documents whose title begins with `q` come first.
 */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const { db } = deps;
  const accountId = call.caller.membership.account_id;
  const sort = (readOne(call.query, 'sort', isDocumentSort) ?? 'newest') as DocumentSort;
  const filter = readDocumentFilter(call);
  const { limit, after } = readPosition(deps, call, sort);
  const title = readSearchText(call.query.q);
  const { rows, next } = await searchDocuments(db, accountId, { filter, sort, title, after, limit });
  const ids = rows.map(({ id }) => id);
  const showsSenders = readOne(call.query, 'senders', (value) => value === 'yes') !== null;
  const [all, sending, senders] = await Promise.all([
    listRecipientsOfDocuments(db, accountId, ids),
    readSending(db, accountId, ids),
    showsSenders ? readSenders(db, accountId, ids) : null,
  ]);
  const recipients = Map.groupBy(all, ({ document_id }) => document_id);
  const data = rows.map((row) =>
    documentSummary(row, recipients.get(row.id) ?? [], sending.get(row.id), senders?.get(row.id)),
  );
  return listEnvelope(data, next !== null, () => (next === null ? '' : cursorOf(deps, accountId, sort, next)));
}

/** Answers with all documents of a filter as CSV, sorted by `sort`: `newest` (default) or `oldest`. */
async function exportList({ db, world }: ConsoleDeps, call: MemberCall) {
  const sort = readOne(call.query, 'sort', (value) => value === 'newest' || value === 'oldest');
  const lines = exportDocuments(db, {
    accountId: call.caller.membership.account_id,
    filter: readDocumentFilter(call),
    sort: sort === 'oldest' ? 'oldest' : 'newest',
    language: call.language,
  });
  const day = world.clock.now().toISOString().slice(0, 10);
  const name = call.language === 'es' ? 'documentos' : 'documents';
  return new RawAnswer(Readable.from(lines, { objectMode: false, highWaterMark: 65_536 }), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': savedAs(`${name}-${day}`, 'csv'),
    'cache-control': 'no-store',
  });
}

/** At most this many documents can be selected. The console's pages have the same limit. */
const selectedMax = 100;

/**
 * Answers with the signed PDFs of the documents `ids` (comma-separated) as a ZIP file. Leaves out documents that the caller may
 * not see. Throws `not_found` if none of them has a signed PDF.
 */
async function zipDocuments({ db, files, world }: ConsoleDeps, { caller, query, language, isChange }: MemberCall) {
  const text = readOne(query, 'ids', (value) => value.split(',').every(isUuid)) ?? '';
  const ids = [...new Set(text.toLowerCase().split(','))];
  if (ids.length > selectedMax) throw new ConsoleError('invalid_input', { param: 'ids' });
  const documents: Document[] = [];
  for (const id of ids) {
    const document = await findSeenDocument(db, { caller, params: { id }, isChange });
    if (document !== null && !document.is_template) documents.push(document);
  }
  const found = await findSignedFiles(db, documents);
  if (found.signed.length === 0) throw new ConsoleError('not_found');
  const day = world.clock.now().toISOString().slice(0, 10);
  return new RawAnswer(zipFiles(files, { ...found, language }), {
    'content-type': 'application/zip',
    'content-disposition': savedAs(`${language === 'es' ? 'documentos' : 'documents'}-${day}`, 'zip'),
    'cache-control': 'no-store',
  });
}

/** A cursor is good for one company and one order. */
const cursorContext = (accountId: string, sort: DocumentSort) => `console documents ${accountId} ${sort}`;

/**
 * Writes a position as a cursor. It is encrypted because the last document that a search read may be one that the caller may not
 * see, and a position holds its id and its title or time of change.
 */
function cursorOf(
  { secretBox }: ConsoleDeps,
  accountId: string,
  sort: DocumentSort,
  { id, key }: ListPosition,
): string {
  return secretBox.encrypt(JSON.stringify([id, key]), cursorContext(accountId, sort)).toString('base64url');
}

function readPosition({ secretBox }: ConsoleDeps, { query, caller }: MemberCall, sort: DocumentSort) {
  const { starting_after: cursor, ending_before: before } = query;
  if (before !== undefined) throw new ConsoleError('invalid_input', { param: 'ending_before' });
  const limit = readLimit(query.limit);
  if (cursor === undefined) return { limit, after: null };
  try {
    const encrypted = Buffer.from(typeof cursor === 'string' ? cursor : '', 'base64url');
    const context = cursorContext(caller.membership.account_id, sort);
    const [id, key] = JSON.parse(secretBox.decrypt(encrypted, context)) as [string, string | null];
    return { limit, after: { id, key } };
  } catch (cause) {
    throw new ConsoleError('invalid_input', { param: 'starting_after', cause });
  }
}
