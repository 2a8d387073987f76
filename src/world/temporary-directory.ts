import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** No work on a file takes as long, and no place for copies goes unchanged for as long. */
const abandonedAfterMs = 7 * 86_400_000;
/** Begins the name of every directory that is removed when it was abandoned. */
export const temporaryPrefix = 'countersign-work-';
let hasSwept = false;

/** Gives `use` a directory of its own, which only this user can read, and removes it with all that is in it. */
export async function withTemporaryDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await makeTemporaryDirectory();
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** For who removes it himself. */
export async function makeTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), temporaryPrefix));
  if (!hasSwept) {
    hasSwept = true;
    await removeAbandoned(directory);
  }
  return directory;
}

/** What a process left that was killed goes with the first directory that a later one needs. `fresh` says what time it is there. */
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
