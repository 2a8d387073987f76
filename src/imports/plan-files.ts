import type { Plan } from '../accounts/plans.ts';
import { assertWithinQuota, readImportUse, storageLeft } from '../usage/import-quota.ts';
import type { NewFile } from './create-import.ts';
import type { ImportDeps } from './import-deps.ts';
import type { FileRequest } from './sources/file-source.ts';
import { fileSources } from './sources/sources.ts';

/** The limit of the database read, so that a client learns within 5 s that nothing was started. */
const readMsMax = 2250;

/**
 * Describes the files before any download, with the storage that each must reserve. With `asksForSizes`, a source that
 * doesn't declare sizes requests them. Throws `import_quota_exceeded` if the files can't fit, and what the source throws.
 */
export async function planFiles(
  deps: ImportDeps,
  accountId: string,
  plan: Plan,
  input: FileRequest,
  asksForSizes = false,
): Promise<NewFile[]> {
  const source = fileSources[input.source];
  const use = await readImportUse(deps.database.within(readMsMax), accountId, deps.world.clock.now());
  assertWithinQuota(plan, use, { files: input.files.length, bytes: source.declaresSizes ? 0 : 1 });
  return source.plan(deps, accountId, input, asksForSizes ? 0 : storageLeft(plan, use));
}
