import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Far longer than any file takes to come in: what is older was left by a process that was killed. */
const abandonedAfterMs = 3 * 3_600_000;

/**
 * Removes what killed processes left of files on their way. By the machine's own time: it is the age of files on its
 * disk.
 */
export async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0, // just taken by the file store
    );
    if (age > abandonedAfterMs) await rm(path, { force: true });
  }
}
