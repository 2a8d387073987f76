import type { Actor } from '../actor.ts';
import { documentsChannel } from '../documents/audit.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { CheckedRow } from './check-rows.ts';

/** One row of `bulk_sends`, without what only its page shows. */
export interface BulkSend {
  account_id: string;
  id: string;
  template_id: string;
  template_version: number;
  actor: Actor;
  targets: string[];
  status: 'checked' | 'running' | 'done' | 'cancelled' | 'stopped';
  /** Of the e-mail to the member who started it. Null: it was not started, or by an earlier version. */
  language: Language | null;
}

export type StopReason = 'template_changed' | 'template_deleted' | 'company_removed';

/** A checked file, to be stored until its documents are sent. */
export interface NewBulkSend {
  accountId: string;
  templateId: string;
  /** The version of the template that the rows were checked against. */
  templateVersion: number;
  actor: Actor;
  fileName: string;
  columns: readonly string[];
  targets: readonly string[];
  rows: readonly CheckedRow[];
}

/** Stores a checked file. Nothing is sent before `startBulkSend`. */
export async function createBulkSend(world: World, tx: Tx, input: NewBulkSend): Promise<string> {
  const id = world.newId();
  await tx.query({
    name: 'create_bulk_send',
    text: `insert into bulk_sends (account_id, id, template_id, template_version, actor, file_name, columns, targets, status,
             created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, 'checked', $9)`,
    values: [
      input.accountId,
      id,
      input.templateId,
      input.templateVersion,
      input.actor,
      input.fileName,
      input.columns,
      input.targets,
      world.clock.now(),
    ],
  });
  const rows = input.rows.map(({ number, cells, faults, duplicateOf }) => {
    return { number, status: faults.length > 0 ? 'faulty' : 'ready', cells, faults, duplicate_of: duplicateOf };
  });
  await tx.query({
    name: 'create_bulk_send_rows',
    text: `insert into bulk_send_rows (account_id, bulk_send_id, number, status, cells, faults, duplicate_of)
           select $1, $2, r.* from jsonb_to_recordset($3::jsonb)
             as r (number int, status text, cells jsonb, faults jsonb, duplicate_of int)`,
    values: [input.accountId, id, JSON.stringify(rows)],
  });
  return id;
}

/** Locks a bulk send against cancelling, starting and sending. Every change of it and its rows comes after this lock. */
export async function lockBulkSend(tx: Tx, accountId: string, id: string): Promise<BulkSend | null> {
  const rows = await tx.query<BulkSend>({
    name: 'lock_bulk_send',
    text: `select account_id, id, template_id, template_version, actor, targets, status, language from bulk_sends
           where account_id = $1 and id = $2 for update`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/**
 * Starts sending the rows without faults, from now on in the name of `actor`. Returns false if it was started, cancelled or
 * removed before. `language`: of the e-mail if it stops.
 */
export async function startBulkSend(
  world: World,
  tx: Tx,
  queue: JobQueue,
  { accountId, id, actor, language }: { accountId: string; id: string; actor: Actor; language: Language },
): Promise<boolean> {
  if ((await lockBulkSend(tx, accountId, id))?.status !== 'checked') return false;
  await tx.query({
    name: 'start_bulk_send',
    text: `update bulk_sends set status = 'running', started_at = $3, actor = $4, language = $5
           where account_id = $1 and id = $2`,
    values: [accountId, id, world.clock.now(), actor, language],
  });
  await queue.enqueue(tx, [{ name: 'send-bulk-rows', accountId, bulkSendId: id }]);
  tx.notify(documentsChannel, accountId);
  return true;
}

/** Cancels a running bulk send. Once this commits, no further row is sent. Returns false if it does not run. */
export async function cancelBulkSend(world: World, tx: Tx, accountId: string, id: string): Promise<boolean> {
  if ((await lockBulkSend(tx, accountId, id))?.status !== 'running') return false;
  await endBulkSend(world, tx, { account_id: accountId, id }, 'cancelled');
  return true;
}

/** Ends a bulk send. The caller holds its lock. Rows that were not sent stay as they are. */
export async function endBulkSend(
  world: World,
  tx: Tx,
  { account_id, id }: Pick<BulkSend, 'account_id' | 'id'>,
  status: 'done' | 'cancelled' | 'stopped',
  reason: StopReason | null = null,
): Promise<void> {
  await tx.query({
    name: 'end_bulk_send',
    text: 'update bulk_sends set status = $3, stop_reason = $4, ended_at = $5 where account_id = $1 and id = $2',
    values: [account_id, id, status, reason, world.clock.now()],
  });
  tx.notify(documentsChannel, account_id);
}

/** Deletes a bulk send and its rows. Returns false if it was started. */
export async function deleteBulkSend(tx: Tx, accountId: string, id: string): Promise<boolean> {
  if ((await lockBulkSend(tx, accountId, id))?.status !== 'checked') return false;
  await tx.query({
    name: 'delete_bulk_send',
    text: 'delete from bulk_sends where account_id = $1 and id = $2',
    values: [accountId, id],
  });
  return true;
}
