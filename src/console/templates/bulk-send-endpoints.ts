import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { type AccountAction, auditAccount } from '../../accounts/account-audit.ts';
import {
  cancelBulkSend,
  createBulkSend,
  deleteBulkSend,
  lockBulkSend,
  startBulkSend,
} from '../../bulk-send/bulk-send.ts';
import { assertBulkSendable, checkFile } from '../../bulk-send/check-file.ts';
import { exportUnsent, sampleCsv } from '../../bulk-send/export-rows.ts';
import {
  countRows,
  countUnstarted,
  findBulkSend,
  type ListedBulkSend,
  listBulkSends,
  type RowCounts,
  rowStatuses,
} from '../../bulk-send/list-bulk-sends.ts';
import { listRows } from '../../bulk-send/list-rows.ts';
import { csvBytesMax } from '../../bulk-send/read-csv.ts';
import { readAttachment } from '../../documents/attachment.ts';
import type { Document } from '../../documents/document.ts';
import { listRecipients } from '../../documents/queries.ts';
import { readStatusFilter } from '../../http/page-request.ts';
import { savedAs } from '../../http/saved-as.ts';
import { isUuid } from '../../platform/ids.ts';
import type { World } from '../../platform/world.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { readerOf } from '../core/authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readListPage } from '../core/open-list.ts';
import { RawAnswer } from '../core/raw-answer.ts';
import { readFileName } from '../core/read-file-name.ts';
import { withReceivedBytes } from '../core/receive-file.ts';
import { assertStillMay } from '../core/still-may.ts';
import { actorOf } from '../documents/change-document.ts';
import { type BulkSendDetail, bulkSendSummary, listColumns, rowView, viewBulkSend } from './bulk-send-views.ts';
import { assertThere, findOwnTemplate, lockOwnTemplate } from './own-template.ts';

const startBody = Type.Object({ skip_faulty: Type.Boolean() });

/** Bulk sends: a template and a CSV file, and one document for each row. */
export const bulkSendEndpoints = [
  forMembers('GET /templates/:id/bulk-sends/sample', 'member', {}, downloadSample),
  forMembers('GET /templates/:id/bulk-sends', 'member', {}, listPage),
  forMembers('POST /templates/:id/bulk-sends', 'member', { takesFile: true }, upload),
  forMembers('GET /templates/:id/bulk-sends/:bulk', 'member', {}, async ({ db }, call) => view(db, call)),
  forMembers('GET /templates/:id/bulk-sends/:bulk/rows', 'member', {}, listRowPage),
  forMembers('GET /templates/:id/bulk-sends/:bulk/unsent', 'member', { isEndless: true }, downloadUnsent),
  forMembers('POST /templates/:id/bulk-sends/:bulk/start', 'member', { body: startBody }, start),
  forMembers('POST /templates/:id/bulk-sends/:bulk/cancel', 'member', {}, cancel),
  forMembers('DELETE /templates/:id/bulk-sends/:bulk', 'member', {}, remove),
];

/** Answers with the header of a CSV file for the template, to fill in. */
async function downloadSample({ db }: ConsoleDeps, call: MemberCall) {
  const template = assertThere(await findOwnTemplate(db, call));
  const recipients = await listRecipients(db, template.account_id, template.id);
  const attachment = await readAttachment(db, template.account_id, template.id);
  const csv = Buffer.from(sampleCsv(recipients, attachment?.fields ?? [], call.language));
  return new RawAnswer(csv, csvHeaders(template.title));
}

function csvHeaders(name: string): Record<string, string> {
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': savedAs(name, 'csv'),
    'cache-control': 'no-store',
  };
}

/** Lists the bulk sends of a template, newest first. */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const { db } = deps;
  const { id: templateId, account_id } = await findOwnTemplate(db, call);
  let counts: ReadonlyMap<string, RowCounts> = new Map();
  return readListPage(
    deps,
    call,
    `bulk sends ${templateId}`,
    async (page) => {
      const found = await listBulkSends(db, templateId, page);
      const ids = found.map(({ id }) => id);
      counts = await countRows(db, account_id, ids);
      return found;
    },
    (bulkSend) => bulkSendSummary(bulkSend, counts.get(bulkSend.id) as RowCounts),
  );
}

/** What became of an upload. Nothing is stored unless the file was checked. */
export type UploadOutcome =
  | { outcome: 'checked'; bulk_send: BulkSendDetail }
  | { outcome: 'unreadable'; fault: string; row: number | null }
  | { outcome: 'wrong_columns'; columns: Array<{ code: 'missing_column' | 'duplicate_column'; name: string }> };

const unstartedMax = 20;

/**
 * Checks a CSV file: `?name=Tenants.csv`. Nothing is sent before it is started. Throws the codes of POST /documents/{id}/send
 * if no row could be sent, `file_too_large`, `too_many_bulk_sends`, and `changed_meanwhile` if the template is edited meanwhile.
 */
async function upload({ world, db }: ConsoleDeps, call: MemberCall): Promise<UploadOutcome> {
  const template = assertThere(await findOwnTemplate(db, call));
  const fileName = readFileName(call.query);
  const { account_id: accountId, id: templateId, audit_seq: templateVersion } = template;
  return withReceivedBytes(call, csvBytesMax, async (bytes): Promise<UploadOutcome> => {
    const recipients = await listRecipients(db, accountId, templateId);
    assertBulkSendable(template, recipients);
    const attachment = await readAttachment(db, accountId, templateId);
    const file = await checkFile(template, recipients, bytes, attachment?.fields);
    if (file.kind === 'unreadable') return { outcome: 'unreadable', fault: file.fault, row: file.row };
    if (file.kind === 'wrong_columns') {
      const columns = file.faults.map(({ code, label }) => ({ code, name: label[call.language] }));
      return { outcome: 'wrong_columns', columns };
    }
    return db.transaction(async (tx): Promise<UploadOutcome> => {
      // The recipients were read after the template, so they are of this version if it still is the current one.
      const now = await lockOwnTemplate(tx, call);
      if (now.audit_seq !== templateVersion) throw new ConsoleError('changed_meanwhile');
      if ((await countUnstarted(tx, accountId, templateId)) >= unstartedMax) {
        throw new ConsoleError('too_many_bulk_sends');
      }
      const { columns, targets, rows } = file;
      const input = { accountId, templateId, templateVersion, actor: actorOf(call), fileName, columns, targets, rows };
      const bulk = await createBulkSend(world, tx, input);
      return { outcome: 'checked', bulk_send: await view(tx, { ...call, params: { ...call.params, bulk } }) };
    });
  });
}

/** Finds the bulk send of the path's `:bulk`, also after its template was deleted. Throws `not_found`. */
async function findOwn(
  db: Queryable,
  call: MemberCall<unknown>,
): Promise<{ template: Document; bulkSend: ListedBulkSend }> {
  const template = await findOwnTemplate(db, call);
  const { bulk = '' } = call.params;
  const bulkSend = isUuid(bulk) ? await findBulkSend(db, template.account_id, template.id, bulk) : null;
  if (bulkSend === null) throw new ConsoleError('not_found');
  return { template, bulkSend };
}

async function view(db: Queryable, call: MemberCall<unknown>): Promise<BulkSendDetail> {
  const { template, bulkSend } = await findOwn(db, call);
  return viewBulkSend(db, call, template, bulkSend);
}

/** Lists the rows in the order of the file. `status`: comma-separated statuses. */
async function listRowPage(deps: ConsoleDeps, call: MemberCall) {
  const { db } = deps;
  const { template, bulkSend } = await findOwn(db, call);
  const statuses = readStatusFilter(call.query.status, rowStatuses);
  const sampled = await listColumns(db, template);
  return readListPage(
    deps,
    call,
    `rows of ${bulkSend.id}`,
    async ({ accountId, afterId, limit }) => {
      const afterNumber = afterId === null ? 0 : numberOf(afterId);
      const rows = await listRows(
        db,
        { accountId, id: bulkSend.id },
        { readerId: readerOf(call), statuses, afterNumber, limit },
      );
      return rows.map((row) => ({ ...row, id: positionOf(row.number) }));
    },
    (row) => rowView(call.language, row, bulkSend.columns, sampled),
  );
}

/** Cursors hold ids: the number of a row is written as one. */
function positionOf(number: number): string {
  return `00000000-0000-0000-0000-${number.toString(16).padStart(12, '0')}`;
}

function numberOf(position: string): number {
  return Number.parseInt(position.slice(-12), 16);
}

/** Answers with the rows that are not sent, with their faults, as CSV. */
async function downloadUnsent({ db }: ConsoleDeps, call: MemberCall) {
  const { template, bulkSend } = await findOwn(db, call);
  const { account_id: accountId, id } = template;
  const recipients = await listRecipients(db, accountId, id);
  const fields = (await readAttachment(db, accountId, id))?.fields ?? [];
  const lines = exportUnsent(db, { accountId, bulkSend, recipients, fields, language: call.language });
  const name = call.language === 'es' ? 'no enviadas' : 'unsent';
  return new RawAnswer(
    Readable.from(lines, { objectMode: false, highWaterMark: 65_536 }),
    csvHeaders(`${template.title} - ${name}`),
  );
}

/**
 * Starts sending. Throws `changed_meanwhile` if the template is not the version that the file was checked against,
 * `rows_with_faults` unless these are to be left out, and `no_rows_to_send`.
 */
async function start({ world, db, queue }: ConsoleDeps, call: MemberCall<Static<typeof startBody>>) {
  return db.transaction(async (tx) => {
    const { id } = (await findOwn(tx, call)).bulkSend;
    const accountId = call.caller.membership.account_id;
    // The bulk send before its template, as its worker locks them.
    const bulkSend = await lockBulkSend(tx, accountId, id);
    if (bulkSend === null) throw new ConsoleError('not_found');
    const template = await lockOwnTemplate(tx, call);
    if (bulkSend.status !== 'checked') throw new ConsoleError('refused');
    if (template.audit_seq !== bulkSend.template_version) throw new ConsoleError('changed_meanwhile');
    const { ready, faulty } = (await countRows(tx, accountId, [id])).get(id) as RowCounts;
    if (ready === 0) throw new ConsoleError('no_rows_to_send');
    if (faulty > 0 && !call.body.skip_faulty) throw new ConsoleError('rows_with_faults');
    await startBulkSend(world, tx, queue, { accountId, id, actor: actorOf(call), language: call.language });
    await audit(world, tx, call, 'bulk_send_started', { rows: ready });
    return view(tx, call);
  });
}

/** Cancels a running bulk send. What was sent stays sent. Throws `refused` if it does not run. */
function cancel({ world, db }: ConsoleDeps, call: MemberCall) {
  return db.transaction(async (tx) => {
    const { template, bulkSend } = await findOwn(tx, call);
    const isCancelled = await cancelBulkSend(world, tx, template.account_id, bulkSend.id);
    await assertStillMay(tx, call);
    if (!isCancelled) throw new ConsoleError('refused');
    await audit(world, tx, call, 'bulk_send_cancelled');
    return view(tx, call);
  });
}

/** Deletes a bulk send that was never started. Throws `refused` for others. */
function remove({ world, db }: ConsoleDeps, call: MemberCall) {
  return db.transaction(async (tx) => {
    const { template, bulkSend } = await findOwn(tx, call);
    const isDeleted = await deleteBulkSend(tx, template.account_id, bulkSend.id);
    await assertStillMay(tx, call);
    if (!isDeleted) throw new ConsoleError('refused');
    await audit(world, tx, call, 'bulk_send_deleted');
  });
}

/** Records what a member did with the bulk send of the path. */
function audit(
  world: World,
  tx: Tx,
  { caller, params }: MemberCall<unknown>,
  action: AccountAction,
  more: { rows?: number } = {},
): Promise<void> {
  const detail = { template: params.id, bulk_send: params.bulk, ...more };
  return auditAccount(world, tx, {
    accountId: caller.membership.account_id,
    personId: caller.person.id,
    action,
    detail,
  });
}
