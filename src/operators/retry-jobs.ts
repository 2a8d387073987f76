import type { FailedJob } from '../jobs/failed-jobs.ts';
import type { RunningQueue } from '../jobs/job-queue.ts';
import type { Job } from '../messages/job-queue.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import type { ByOperator } from './change-company.ts';
import { describeFailed } from './failed-jobs.ts';
import { logOperator } from './operator-log.ts';

/** Enqueues a failed job again. Returns whether it did: someone else may have, or its document has another job waiting. */
export async function retryJob(
  world: World,
  db: Database,
  queue: RunningQueue,
  job: FailedJob,
  { personId }: ByOperator,
): Promise<boolean> {
  const [described] = await describeFailed(db, [job]);
  return db.transaction(async (tx) => {
    if ((await queue.retry(tx, job.queue, [job.id])) === 0) return false;
    const accountId = described?.account_id ?? null;
    const entry = { personId, action: 'job_retried', detail: { queue: job.queue, job_id: job.id } } as const;
    await logOperator(world, tx, { ...entry, ...(accountId !== null && { accountId }) });
    return true;
  });
}

/** Jobs of one transaction. */
const retriedAtOnceMax = 1000;

/** Enqueues the failed jobs of a queue again, at most `retriedAtOnceMax`. `is_more`: there are others. */
export async function retryQueue(
  world: World,
  db: Database,
  queue: RunningQueue,
  name: Job['name'],
  { personId }: ByOperator,
): Promise<{ retried: number; is_more: boolean }> {
  const found = (await queue.failed({ queue: name, afterId: null, limit: retriedAtOnceMax + 1 })) ?? [];
  const ids = found.slice(0, retriedAtOnceMax).map(({ id }) => id);
  const retried = await db.transaction(async (tx) => {
    const count = await queue.retry(tx, name, ids);
    if (count > 0) await logOperator(world, tx, { personId, action: 'jobs_retried', detail: { queue: name, count } });
    return count;
  });
  return { retried, is_more: found.length > retriedAtOnceMax && retried > 0 };
}
