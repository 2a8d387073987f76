import { migrate } from '../postgres/migrate.ts';
import type { Log } from '../world/log.ts';

/** Our own migrations and the job queue's. Returns the names of ours that were applied. */
export async function applyMigrations(url: string, log: Log): Promise<string[]> {
  const applied = await migrate(url);
  const { migrateQueue } = await import('../jobs/job-queue.ts');
  await migrateQueue(url, log);
  return applied;
}
