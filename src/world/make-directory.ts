import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it, unless they are there. Node's own `recursive` never returns where a directory
 * that is there says ENOENT, as /proc does.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  const make = () => mkdir(path, { mode }).catch((error) => ignoreExisting(path, error));
  try {
    await make();
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeDirectory(parent, mode);
    await make();
  }
}

async function ignoreExisting(path: string, error: NodeJS.ErrnoException): Promise<void> {
  if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
}
