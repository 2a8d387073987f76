import { createFileOrder, type FilePlace } from './file-order.ts';
import type { ImportDeps } from './import-deps.ts';
import { importFile, type Run, type RunningItem } from './import-file.ts';
import { inParallel } from './in-parallel.ts';

/** The most concurrent files of one import. The process's slots limit all imports together. */
const filesAtOnce = 4;

/**
 * Runs items of an import to their end. A failed item stops no other. Throws if the database fails, the lease is lost or
 * `run.signal` is aborted; items that have ended by then stay ended, and the rest stay open.
 */
export async function runItems(deps: ImportDeps, run: Run, items: readonly RunningItem[]): Promise<void> {
  const places = createFileOrder(items.length);
  const firstOfDriveFile = new Map<string, Promise<void>>();
  await inParallel(items, filesAtOnce, async (item, index) => {
    const place = places[index] as FilePlace;
    const { driveFileId } = item.file;
    const importing = async () => {
      run.signal.throwIfAborted();
      await importFile(deps, run, item, place);
    };
    const first = driveFileId === null ? undefined : firstOfDriveFile.get(driveFileId);
    // The first item of a drive file makes its document. The others then need no download.
    const running = (first === undefined ? importing() : first.then(importing)).finally(place.end);
    if (driveFileId !== null && first === undefined) firstOfDriveFile.set(driveFileId, running);
    await running;
  });
  if (run.import.unlock_doc) await deps.unlock?.settled(run.import.id, run.signal);
}
