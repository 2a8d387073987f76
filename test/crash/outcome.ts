import { setTimeout as sleep } from 'node:timers/promises';
import { type Ground, startServer } from '../support/process.ts';
import { eventually } from '../support/service.ts';

/** Returns the rows of a query to the service's database. */
export async function ask<Row>(ground: Pick<Ground, 'db'>, text: string, values: unknown[] = []): Promise<Row[]> {
  return ground.db.query<Row>({ name: '', text, values });
}

export async function count(ground: Ground, text: string, values: unknown[] = []): Promise<number> {
  const [row] = await ask<{ count: number }>(ground, `select count(*) from ${text}`, values);
  return row?.count ?? 0;
}

/** Waits until PostgreSQL has noticed that a killed process is gone, and has ended what that had begun. */
export async function untilGone({ db }: Pick<Ground, 'db'>): Promise<void> {
  await eventually(
    () =>
      ask(
        { db },
        `select 1 from pg_stat_activity where datname = current_database() and application_name like 'countersign%'`,
      ),
    (connections) => connections.length === 0,
  );
}

/** A killed process is noticed after ten seconds, and its jobs are given to another. A busy machine takes much longer. */
export const recoveryMs = 180_000;

export function randomBetween(min: number, max: number): number {
  return min + Math.random() * (max - min);
}

/**
 * Starts a worker and kills it in the middle of a job, at most `afterMsMax` after it has begun to work on the queue. This
 * must be shorter than the pending work takes, or nothing is left for the next worker.
 */
export async function crashAtWork(
  ground: Ground,
  settings: Ground['settings'],
  { queue, afterMsMax }: { queue: string; afterMsMax: number },
): Promise<number> {
  const [before] = await ask<{ now: string }>(ground, 'select clock_timestamp() as now');
  const begun = `jobs.job where name = $1 and state = 'active' and started_on > $2`;
  const worker = await startServer({ ...settings, ROLE: 'worker' });
  await eventually(
    () => count(ground, begun, [queue, before?.now]),
    (jobs) => jobs > 0,
    recoveryMs,
  );
  await sleep(randomBetween(0, afterMsMax));
  worker.kill('SIGKILL');
  await worker.ended;
  return worker.pid;
}
