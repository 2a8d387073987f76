import { auditAccount } from '../accounts/account-audit.ts';
import { readAttachment } from '../documents/attachment.ts';
import { FormulaRefusal } from '../documents/check-formulas.ts';
import { listRecipients, lockDocument } from '../documents/queries.ts';
import { sendDocument } from '../documents/send-document.ts';
import { setPresets } from '../documents/set-presets.ts';
import { draftFromTemplate } from '../documents/templates.ts';
import { ApiError } from '../errors.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { type BulkSend, endBulkSend, lockBulkSend } from './bulk-send.ts';
import { bodyOfRow, presetsOfRow, type RowFault } from './check-rows.ts';
import { countRows } from './list-bulk-sends.ts';
import { notifyOfStop } from './stop-notice.ts';

/** A row that the rules of documents refuse. */
class RowRefused extends Error {
  readonly number: number;
  readonly code: RowFault['code'];

  constructor(number: number, code: RowFault['code'], { message }: Error) {
    super(message);
    this.name = 'RowRefused';
    this.number = number;
    this.code = code;
  }
}

/**
 * Sends the next row of a running bulk send in one transaction: its document, the messages and the row's result commit
 * together, so a row is sent once even if the process is killed. Several processes may call it at the same time. A row that
 * is refused fails, and the others continue. Returns `ended` when there is nothing left to do.
 */
export async function sendNextRow(
  world: World,
  db: Database,
  queue: JobQueue,
  accountId: string,
  id: string,
): Promise<'sent' | 'failed' | 'ended'> {
  try {
    return await db.transaction((tx) => sendOne(world, tx, queue, accountId, id));
  } catch (error) {
    if (!(error instanceof RowRefused)) throw error;
    const { number, code } = error;
    await db.query({
      name: 'fail_bulk_send_row',
      text: `update bulk_send_rows set status = 'failed', faults = $4
             where account_id = $1 and bulk_send_id = $2 and number = $3 and status = 'ready'`,
      values: [accountId, id, number, JSON.stringify([{ column: null, target: null, code }])],
    });
    return 'failed';
  }
}

async function sendOne(
  world: World,
  tx: Tx,
  queue: JobQueue,
  accountId: string,
  id: string,
): Promise<'sent' | 'ended'> {
  const bulkSend = await lockBulkSend(tx, accountId, id);
  if (bulkSend?.status !== 'running') return 'ended';
  const template = await lockDocument(tx, accountId, bulkSend.template_id, 'all');
  const reason =
    template === null || template.status === 'voided'
      ? 'template_deleted'
      : template.audit_seq !== bulkSend.template_version
        ? 'template_changed'
        : (await isRemoved(tx, accountId))
          ? 'company_removed'
          : null;
  if (template === null || reason !== null) {
    await endBulkSend(world, tx, bulkSend, 'stopped', reason);
    const rows = (await countRows(tx, accountId, [id])).get(id)?.ready;
    const detail = { template: bulkSend.template_id, bulk_send: id, reason, rows };
    await auditAccount(world, tx, { accountId, personId: null, action: 'bulk_send_stopped', detail });
    if (reason !== 'company_removed') await notifyOfStop(world, tx, queue, bulkSend);
    return 'ended';
  }
  const row = await readNextRow(tx, bulkSend);
  if (row === null) {
    await endBulkSend(world, tx, bulkSend, 'done');
    return 'ended';
  }
  const { number, cells } = row;
  const [recipients, attachment] = await Promise.all([
    listRecipients(tx, accountId, template.id),
    readAttachment(tx, accountId, template.id),
  ]);
  const fields = attachment?.fields ?? [];
  try {
    const body = bodyOfRow({ document: template, recipients }, bulkSend.targets, cells);
    const origin = { bulk_send: id, row: number };
    const draft = await draftFromTemplate(world, tx, template, bulkSend.actor, body, origin);
    await setPresets(tx, draft, presetsOfRow({ document: template, recipients, fields }, bulkSend.targets, cells));
    // The console sends in live mode only.
    const sender = { accountId, actor: bulkSend.actor, sees: 'all', mode: 'live' } as const;
    await sendDocument(world, tx, queue, sender, draft.id);
    await tx.query({
      name: 'mark_bulk_send_row_sent',
      text: `update bulk_send_rows set status = 'sent', document_id = $4
             where account_id = $1 and bulk_send_id = $2 and number = $3`,
      values: [accountId, id, number, draft.id],
    });
  } catch (error) {
    if (error instanceof ApiError) throw new RowRefused(number, error.code, error);
    if (error instanceof FormulaRefusal) throw new RowRefused(number, 'formula_unfit', error);
    throw error;
  }
  return 'sent';
}

async function isRemoved(tx: Tx, accountId: string): Promise<boolean> {
  const found = await tx.query({
    name: 'account_of_bulk_send',
    text: 'select from accounts where id = $1 and removed_at is null',
    values: [accountId],
  });
  return found.length === 0;
}

async function readNextRow(
  tx: Tx,
  { account_id, id }: Pick<BulkSend, 'account_id' | 'id'>,
): Promise<{ number: number; cells: string[] } | null> {
  const rows = await tx.query<{ number: number; cells: string[] }>({
    name: 'next_bulk_send_row',
    text: `select number, cells from bulk_send_rows
           where account_id = $1 and bulk_send_id = $2 and status = 'ready' order by number limit 1`,
    values: [account_id, id],
  });
  return rows[0] ?? null;
}
