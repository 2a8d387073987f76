import type { PgBoss } from 'pg-boss';
import type { Job } from '../messages/job-queue.ts';
import { sqlState, type Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { errorText } from './error-text.ts';
import { inTransaction } from './in-transaction.ts';
import { channelOf, queueNames, queues } from './queues.ts';

/**
 * Jobs that failed at their last attempt. pg-boss has no function that lists jobs by state, so they are read from its table. All
 * changes go through its functions.
 */
export interface FailedJob {
  id: string;
  queue: Job['name'];
  created_at: Timestamp;
  failed_at: Timestamp;
  /** How often it was tried. */
  tries: number;
  /** The last error without addresses, numbers and tokens. Null: none was recorded. */
  error: string | null;
  /** Only for finding the company. It has names and addresses, so it is never shown. */
  data: Record<string, unknown>;
}

export interface FailedPage {
  /** Null: of all queues. */
  queue: Job['name'] | null;
  afterId: string | null;
  limit: number;
}

/** So that finding them costs nothing, however many jobs of the last day have ended well. */
export const failedJobsIndexSql = `
  do $$ begin
    perform pg_advisory_xact_lock(hashtext('countersign failed jobs'));
    if to_regclass('jobs.countersign_failed_jobs') is null then
      create index countersign_failed_jobs on jobs.job_common (completed_on desc, id desc) where state = 'failed';
    end if;
  end $$`;

const columns = `id, name as queue, created_on as created_at, completed_on as failed_at, retry_count + 1 as tries,
  left(coalesce(output ->> 'message', output #>> '{value,message}'), 2000) as error, data`;

interface FailedRow extends Omit<FailedJob, 'created_at' | 'failed_at'> {
  created_at: Date;
  failed_at: Date;
}

export async function findFailed(boss: PgBoss, { queue, afterId, limit }: FailedPage): Promise<FailedJob[] | null> {
  const names = queue === null ? queueNames() : [queue];
  const after = afterId === null ? null : await failedRow(boss, afterId);
  if (afterId !== null && after === null) return null;
  const { rows } = await boss.getDb().executeSql(
    `select ${columns} from jobs.job
     where state = 'failed' and name = any ($1::text[])
       and ($2::uuid is null or (completed_on, id) < (select completed_on, id from jobs.job where name = $3 and id = $2))
     order by completed_on desc, id desc limit $4`,
    [names, after?.id ?? null, after?.queue ?? null, limit],
  );
  return rows.map(shown);
}

export async function findFailedAt(boss: PgBoss, id: string): Promise<FailedJob | null> {
  const row = await failedRow(boss, id);
  return row === null ? null : shown(row);
}

async function failedRow(boss: PgBoss, id: string): Promise<FailedRow | null> {
  const { rows } = await boss
    .getDb()
    .executeSql(`select ${columns} from jobs.job where name = any ($1::text[]) and id = $2 and state = 'failed'`, [
      queueNames(),
      id,
    ]);
  return rows[0] ?? null;
}

function shown({ created_at, failed_at, error, ...row }: FailedRow): FailedJob {
  return {
    ...row,
    created_at: created_at.toISOString(),
    failed_at: failed_at.toISOString(),
    error: error === null ? null : errorText(error),
  };
}

const uniqueViolation = '23505';

export async function retryFailed(boss: PgBoss, tx: Tx, name: Job['name'], ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  tx.notify(channelOf(name));
  const db = inTransaction(tx);
  if (queues[name].policy !== 'exclusive') return affected(await boss.retry(name, [...ids], { db }));
  // A document has one such job at a time, and the unique index refuses a second one.
  let retried = 0;
  for (const id of ids) {
    await tx.query({ name: '', text: 'savepoint one_job', values: [] });
    try {
      retried += affected(await boss.retry(name, id, { db }));
    } catch (error) {
      if (sqlState(error) !== uniqueViolation) throw error;
      await tx.query({ name: '', text: 'rollback to savepoint one_job', values: [] });
    }
  }
  return retried;
}

/** The number of changed jobs. pg-boss answers it, but its types leave it out. */
function affected(answer: object): number {
  const { affected: count } = answer as { affected?: unknown };
  if (typeof count !== 'number') throw new Error('pg-boss does not say how many jobs it changed');
  return count;
}
