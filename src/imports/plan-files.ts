import type { Plan } from '../accounts/plans.ts';
import { assertWithinQuota, readImportUse, storageLeft } from '../usage/import-quota.ts';
import type { NewFile } from './create-import.ts';
import type { ImportDeps } from './import-deps.ts';
import { findSizesOfLinks } from './known-files.ts';
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
  assertWithinQuota(plan, use, { files: input.files.length, bytes: 0 });
  const left = asksForSizes ? 0 : storageLeft(plan, use);
  const files = await source.plan(deps, accountId, input, left);
  const isShort = files.reduce((sum, { reservedBytes }) => sum + reservedBytes, 0) > left;
  return isShort ? withoutKnownLinks(deps, accountId, files) : files;
}

/**
 * Lets files reserve nothing whose links led to files of the same size before: they are probably the same. If one turns out to be
 * new, `settleArrival` checks that there is room for it.
 */
async function withoutKnownLinks(deps: ImportDeps, accountId: string, files: readonly NewFile[]): Promise<NewFile[]> {
  const sizes = await findSizesOfLinks(
    deps.database.within(readMsMax),
    accountId,
    files.flatMap(({ file }) => file.linkHash ?? []),
  );
  return files.map((file) => {
    const bytes = file.file.linkHash && sizes.get(file.file.linkHash.toString('hex'));
    return bytes === file.reservedBytes ? { ...file, reservedBytes: 0 } : file;
  });
}
