import { constants, copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { makeDirectory } from './make-directory.ts';
import { systemRandom } from './random.ts';

/** Leftovers of writers that were killed; a day is far longer than any write takes. */
const abandonedAfterMs = 86_400_000;

export interface AtomicWriter {
  write(name: string, bytes: Uint8Array | string): Promise<void>;
  /** Takes a finished file from elsewhere, which is gone from there once this resolves, and may be when it fails. */
  move(name: string, path: string): Promise<void>;
}

/**
 * Puts files below `root` that appear whole or not at all, and are there after a power cut once the promise resolves:
 * a temporary file, fsync, rename, fsync of the directory. Files are private to the service's user.
 * Any number of processes may write at once; of two that write one name, the last rename wins.
 */
export function createAtomicWriter(root: string): AtomicWriter {
  const temporaries = join(root, '.tmp');
  const durable = new Set<string>();
  let swept = false;

  return {
    write: (name, bytes) => place(name, (temporary) => writeDurably(temporary, bytes)),
    async move(name, path) {
      await place(name, (temporary) => moveDurably(path, temporary));
      await rm(path, { force: true }); // still there when it had to be copied
    },
  };

  /** `fill` makes the temporary file, durably. */
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
      await rm(temporary, { force: true }).catch(() => {}); // the reason to tell is the first one
      throw error;
    }
    await syncDirectory(dirname(target));
  }

  /** A directory is durable when its parent was synced, and so on up to the root's own parent: once per process is enough. */
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

/** Returns the file system's own idea of now, against which the age of leftovers is measured. */
async function writeDurably(path: string, bytes: Uint8Array | string): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
    return (await file.stat()).mtimeMs;
  } finally {
    await file.close();
  }
}

/** Within a file system the file itself moves; from another one it is copied, without passing through our memory. */
async function moveDurably(from: string, to: string): Promise<number> {
  const writtenAtMs = await settle(from);
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await settle(to);
  }
  return writtenAtMs;
}

/** On the disk, private, and of now: a file finished long ago would be swept from among the temporary ones. */
async function settle(path: string): Promise<number> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(0o600);
    const { ctime } = await file.stat(); // the file system's own idea of when it got its mode
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
      () => 0, // just renamed by another writer
    );
    if (age > abandonedAfterMs) await rm(path, { force: true, recursive: true });
  }
}

/**
 * Windows has no way to sync a directory. The parent of the root may be closed to us: then it was not we who made the
 * root, and it has been there for long.
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
