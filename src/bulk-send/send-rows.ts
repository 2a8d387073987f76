import type { BulkJob, JobQueue } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { sendNextRow } from './send-row.ts';

export interface SendLimits {
  rowsMax: number;
  msMax: number;
  /** Unsent messages of the last rows, above which a bulk send waits. */
  unsentMax: number;
}

/** The time is less than a worker that stops gives its jobs, so stopping rarely cuts a row off. */
const defaults: SendLimits = { rowsMax: 50, msMax: 3000, unsentMax: 500 };

/**
 * Sends some rows of a bulk send, each in its own transaction. Returns `more` when rows are left, so other bulk sends get
 * their turn. Returns `waiting` when it has to wait, as `findWait` says: the scheduled job tries again.
 */
export async function sendBulkRows(
  world: World,
  db: Database,
  queue: JobQueue,
  { accountId, bulkSendId }: Pick<BulkJob, 'accountId' | 'bulkSendId'>,
  { rowsMax, msMax, unsentMax }: SendLimits = defaults,
): Promise<'more' | 'ended' | 'waiting'> {
  if ((await findWait(db, accountId, bulkSendId, unsentMax)) !== null) return 'waiting';
  const until = performance.now() + msMax;
  for (let rows = 0; rows < rowsMax && performance.now() < until; rows += 1) {
    if ((await sendNextRow(world, db, queue, accountId, bulkSendId)) === 'ended') return 'ended';
  }
  return 'more';
}

/** What a running bulk send waits for. */
export type BulkWait = 'earlier_file' | 'messages';

/**
 * Returns what a running bulk send waits for: those of a company are sent one after the other, and not while many of its messages
 * are unsent. Null: it doesn't wait.
 */
export async function findWait(
  db: Queryable,
  accountId: string,
  id: string,
  unsentMax = defaults.unsentMax,
): Promise<BulkWait | null> {
  const oldest = await findOldestRunning(db, accountId);
  if (oldest !== null && oldest !== id) return 'earlier_file';
  return (await countUnsent(db, accountId, id, 2 * unsentMax)) >= unsentMax ? 'messages' : null;
}

async function findOldestRunning(db: Queryable, accountId: string): Promise<string | null> {
  const rows = await db.query<{ id: string }>({
    name: 'find_oldest_running_bulk_send',
    text: `select id from bulk_sends where account_id = $1 and status = 'running' order by id limit 1`,
    values: [accountId],
  });
  return rows[0]?.id ?? null;
}

/** Counts the unsent messages of the last `rowsMax` rows that were sent. */
async function countUnsent(db: Queryable, accountId: string, id: string, rowsMax: number): Promise<number> {
  const [found] = await db.query<{ unsent: number }>({
    name: 'count_unsent_of_bulk_send',
    text: `select count(*)::int as unsent from (
             select document_id from bulk_send_rows where account_id = $1 and bulk_send_id = $2 and status = 'sent'
             order by number desc limit $3
           ) r join messages m on m.document_id = r.document_id where m.account_id = $1 and m.status = 'pending'`,
    values: [accountId, id, rowsMax],
  });
  return found?.unsent ?? 0;
}

const companiesMax = 1000;

/** Enqueues the oldest running bulk send of each company, unless it has a job. Returns how many run. */
export async function requeueBulkSends(db: Database, queue: JobQueue): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<Pick<BulkJob, 'accountId' | 'bulkSendId'>>({
      name: 'find_running_bulk_sends',
      text: `select "accountId", "bulkSendId" from (
               select distinct on (account_id) account_id as "accountId", id as "bulkSendId" from bulk_sends
               where status = 'running' order by account_id, id
             ) oldest order by "bulkSendId" limit $1`,
      values: [companiesMax],
    });
    await queue.enqueue(
      tx,
      rows.map((row) => ({ name: 'send-bulk-rows', ...row })),
    );
    return rows.length;
  });
}
