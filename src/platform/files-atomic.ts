import { constants, copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { inheritOwner, inheritOwnerOf } from './inherit-owner.ts';
import { makeDirectory } from './make-directory.ts';
import { systemRandom } from './random.ts';

/** Age after which temporary files of killed writers are deleted. No write takes a day. */
const abandonedAfterMs = 86_400_000;

export interface AtomicWriter {
  write(name: string, bytes: Uint8Array | string): Promise<void>;
  /**
   * Moves a finished file from elsewhere. `path` no longer exists once this resolves, and may not exist if it fails.
   */
  move(name: string, path: string): Promise<void>;
}

/**
 * Writes files below `root` atomically and durably: temporary file, fsync, rename, fsync of the directory. Files are
 * private to the service's user, also when root writes them. Any number of processes may write at once. If two write the
 * same name, the last rename wins.
 */
export function createAtomicWriter(root: string): AtomicWriter {
  const temporaries = join(root, '.tmp');
  const durable = new Set<string>();
  let swept = false;

  return {
    write: (name, bytes) => place(name, (temporary) => writeDurably(temporary, bytes)),
    async move(name, path) {
      await place(name, (temporary) => moveDurably(path, temporary));
      await rm(path, { force: true }); // still there if it had to be copied
    },
  };

  /** Renames a temporary file, which `fill` writes durably, to its final name. */
  async function place(name: string, fill: (temporary: string) => Promise<number>): Promise<void> {
    const target = join(root, name);
    await ensureDirectory(temporaries);
    await ensureDirectory(dirname(target));
    const temporary = join(temporaries, systemRandom.bytes(12).toString('hex'));
    try {
      const writtenAtMs = await fill(temporary);
      if (!swept) await sweep(temporaries, writtenAtMs);
      swept = true;
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {}); // the first error is the one to report
      throw error;
    }
    await syncDirectory(dirname(target));
  }

  /**
   * Creates a directory durably, which means that each parent up to the root's own parent is synced. Once per process
   * is enough.
   */
  async function ensureDirectory(directory: string): Promise<void> {
    await makeDirectory(directory, 0o700);
    if (durable.has(directory)) return;
    for (const parent of parentsOf(directory)) await syncDirectory(parent);
    durable.add(directory);
  }

  function parentsOf(directory: string): string[] {
    const parents = [dirname(root)];
    let parent = root;
    for (const part of relative(root, directory).split(sep)) {
      if (part === '') break;
      parents.push(parent);
      parent = join(parent, part);
    }
    return parents;
  }
}

/** Writes durably. Returns the file system's current time, which the age of leftovers is compared with. */
async function writeDurably(path: string, bytes: Uint8Array | string): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    await inheritOwnerOf(file, path);
    await file.writeFile(bytes);
    await file.sync();
    return (await file.stat()).mtimeMs;
  } finally {
    await file.close();
  }
}

/** Moves the file, or copies it if it is on another file system, without loading it into memory. */
async function moveDurably(from: string, to: string): Promise<number> {
  const writtenAtMs = await syncFile(from);
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await syncFile(to);
  }
  await inheritOwner(to);
  return writtenAtMs;
}

/** Makes the file durable, private and current. An old file would be deleted as a leftover. */
async function syncFile(path: string): Promise<number> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(0o600);
    const { ctime } = await file.stat(); // the file system's time of the mode change
    await file.utimes(ctime, ctime);
    await file.sync();
    return ctime.getTime();
  } finally {
    await file.close();
  }
}

async function sweep(temporaries: string, nowMs: number): Promise<void> {
  for (const name of await readdir(temporaries)) {
    const path = join(temporaries, name);
    const age = await stat(path).then(
      (found) => nowMs - found.mtimeMs,
      () => 0, // another writer has just renamed it
    );
    if (age > abandonedAfterMs) await rm(path, { force: true, recursive: true });
  }
}

/**
 * Syncs a directory. Windows can't. The parent of the root may be inaccessible, but then this process didn't create the
 * root.
 */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') return null;
    throw error;
  });
  if (directory === null) return;
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
