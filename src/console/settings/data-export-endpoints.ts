import {
  archiveKey,
  cancelExport,
  type DataExport,
  findExport,
  openExport,
  pageExports,
  requestExport,
} from '../../data-export/data-exports.ts';
import { readByteRange } from '../../http/byte-range.ts';
import { savedAs } from '../../http/saved-as.ts';
import { isUuid } from '../../platform/ids.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readListPage } from '../core/open-list.ts';
import { RawAnswer } from '../core/raw-answer.ts';

/** Exports of everything that the company has. Restricted documents are included, so only owners may have them. */
export const dataExportEndpoints = [
  forMembers('GET /data-exports', 'owner', {}, listPage),
  forMembers('POST /data-exports', 'owner', { needsFreshSignIn: true }, request),
  forMembers('DELETE /data-exports/:id', 'owner', {}, remove),
  forMembers('POST /data-exports/:id/open', 'owner', { needsFreshSignIn: true }, open),
  forMembers('GET /data-exports/:id/archive', 'owner', { isEndless: true }, download),
];

async function listPage(deps: ConsoleDeps, call: MemberCall) {
  return readListPage(deps, call, 'data exports', (wanted) => pageExports(deps.db, wanted), exportJson);
}

async function request({ world, db }: ConsoleDeps, { caller, language }: MemberCall) {
  const accountId = caller.membership.account_id;
  const requested = await db.transaction((tx) =>
    requestExport(world, tx, { accountId, personId: caller.person.id, language }),
  );
  if (requested === null) throw new ConsoleError('forbidden');
  if (requested === 'running') throw new ConsoleError('data_export_running');
  if (requested === 'too_many') throw new ConsoleError('too_many_data_exports');
  return exportJson(requested);
}

/** Cancels an export that is not finished, or deletes a finished one. */
async function remove({ world, db }: ConsoleDeps, { caller, params: { id = '' } }: MemberCall) {
  const of = { accountId: caller.membership.account_id, id, personId: caller.person.id };
  const removed = isUuid(id) ? await db.transaction((tx) => cancelExport(world, tx, of)) : null;
  if (removed === null) throw new ConsoleError('not_found');
  return {};
}

/**
 * Confirms a download. The session may then download the archive for a day, so that a download that breaks off can be continued
 * although the sign-in is not recent any more.
 */
async function open({ world, db, files }: ConsoleDeps, { caller, params: { id = '' } }: MemberCall) {
  const of = {
    accountId: caller.membership.account_id,
    id,
    personId: caller.person.id,
    sessionId: caller.session.id,
  };
  if (!isUuid(id)) throw new ConsoleError('not_found');
  const found = await findExport(db, of.accountId, id);
  // A restored backup has no archives.
  if (found === null || !(await files.has(archiveKey(id, found.attempts)))) throw new ConsoleError('not_found');
  const opened = await db.transaction((tx) => openExport(world, tx, of));
  if (opened === null) throw new ConsoleError('not_found');
  return exportJson(opened);
}

/** Answers with the archive, or with the range that was asked for. Throws `sign_in_again` unless `open` was called before. */
async function download({ world, db, files }: ConsoleDeps, call: MemberCall) {
  const { caller, params, range, ifRange } = call;
  const id = params.id ?? '';
  const found = isUuid(id) ? await findExport(db, caller.membership.account_id, id) : null;
  if (found === null || found.bytes === null) throw new ConsoleError('not_found');
  const now = world.clock.now().toISOString();
  const isOpen = found.opened_by === caller.session.id && found.opened_until !== null && now < found.opened_until;
  if (!isOpen) throw new ConsoleError('sign_in_again');

  const [size, etag] = [found.bytes, `"${found.id}-${found.attempts}"`];
  const part = readByteRange(range, ifRange, { size, etag });
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': savedAs(`data-export-${found.requested_at.slice(0, 10)}`, 'zip'),
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    etag,
  };
  if (part === 'unsatisfiable') {
    return new RawAnswer(Buffer.alloc(0), { ...headers, 'content-range': `bytes */${size}` }, 416);
  }
  const file = await files.get(archiveKey(found.id, found.attempts), part ?? undefined);
  if (file === null) throw new ConsoleError('not_found');
  const length = { 'content-length': String(file.sizeBytes) };
  if (part === null) return new RawAnswer(file.stream, { ...headers, ...length });
  const { first, last } = part;
  return new RawAnswer(file.stream, { ...headers, ...length, 'content-range': `bytes ${first}-${last}/${size}` }, 206);
}

function exportJson(found: DataExport) {
  const { id, status, requested_at, email, files_done, files_total, missing_files, bytes, failure, expires_at } = found;
  return { id, status, requested_at, email, files_done, files_total, missing_files, bytes, failure, expires_at };
}
