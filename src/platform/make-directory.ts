import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inheritOwner } from './inherit-owner.ts';

/**
 * Creates a directory and its parents if they don't exist. As root, with `inherits`, new ones belong to the owner of the
 * directory that they are in.
 * Node's own `recursive` never returns where an existing directory answers ENOENT, as under /proc.
 */
export async function makeDirectory(path: string, mode = 0o777, inherits = true): Promise<void> {
  const make = () =>
    mkdir(path, { mode }).then(
      () => (inherits ? inheritOwner(path) : undefined),
      (error) => ignoreExisting(path, error),
    );
  try {
    await make();
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeDirectory(parent, mode, inherits);
    await make();
  }
}

async function ignoreExisting(path: string, error: NodeJS.ErrnoException): Promise<void> {
  if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
}
