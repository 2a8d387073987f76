import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Far longer than any download takes. An older file was left by a killed process. */
const abandonedAfterMs = 3 * 3_600_000;

/**
 * Removes incoming files that killed processes left. Uses the machine's own time, because it compares the age of files
 * on its disk.
 */
export async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0, // the file store has just moved it
    );
    if (age > abandonedAfterMs) await rm(path, { force: true });
  }
}
