import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Age after which a directory counts as abandoned. No work takes a week. */
const abandonedAfterMs = 7 * 86_400_000;
/** Prefix of directories that are deleted once abandoned. */
export const temporaryPrefix = 'countersign-work-';
let hasSwept = false;

/** Runs `use` with a new private directory, and deletes the directory with its content afterwards. */
export async function withTemporaryDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await makeTemporaryDirectory();
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Creates a private temporary directory. The caller deletes it. */
export async function makeTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), temporaryPrefix));
  if (!hasSwept) {
    hasSwept = true;
    await removeAbandoned(directory);
  }
  return directory;
}

/**
 * Deletes directories that killed processes left. `fresh` is a new directory, whose time is the file system's current
 * time.
 */
async function removeAbandoned(fresh: string): Promise<void> {
  const { mtimeMs: nowMs } = await stat(fresh);
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(temporaryPrefix)) continue;
    const path = join(tmpdir(), name);
    const ageMs = await stat(path).then(
      ({ mtimeMs }) => nowMs - mtimeMs,
      () => 0,
    );
    if (ageMs > abandonedAfterMs) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
