import { OperatorError } from '../../errors.ts';
import type { Log } from '../../platform/log.ts';
import { DatabaseFailure } from '../../postgres/database.ts';
import { type MigrateOptions, migrate } from '../../postgres/migrate.ts';

/** Applies our migrations and those of the job queue. Returns the names of ours that were applied. */
export async function applyMigrations(url: string, log: Log, options: MigrateOptions = {}): Promise<string[]> {
  try {
    const applied = await migrate(url, options);
    const { migrateQueue } = await import('../../jobs/job-queue.ts');
    await migrateQueue(url, log);
    return applied;
  } catch (error) {
    throw error instanceof OperatorError ? error : new DatabaseFailure(error);
  }
}
