import type { ImportDeps } from './import-deps.ts';
import { importFile, type Run, type RunningItem } from './import-file.ts';
import { inParallel } from './in-parallel.ts';

/** Of one import; the slots of the process bound all of them together. */
const filesAtOnce = 4;

/**
 * Runs items of an import to their end, each on its own: one that fails stops no other. Throws when the database cannot
 * be told, when the lease is lost and when told to stop. What has ended by then has ended, the rest is open.
 */
export async function runItems(deps: ImportDeps, run: Run, items: readonly RunningItem[]): Promise<void> {
  await inParallel(items, filesAtOnce, async (item) => {
    run.signal.throwIfAborted();
    await importFile(deps, run, item);
  });
  if (run.import.unlock_doc) await deps.unlock?.settled(run.import.id, run.signal);
}
