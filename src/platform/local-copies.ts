import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from './files.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';
import { downloadFile, missing } from './with-local-file.ts';

/**
 * Gives programs paths of stored files that they read repeatedly. For a local store these are the files themselves. For
 * a remote store they are copies, and the most recently used ones are kept up to a size and an age.
 */
export interface LocalCopies {
  /**
   * Calls `use` with the path of a file. The file must not be written to. Throws a `FileStoreError` if the store fails
   * or has no such file.
   */
  use<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface LocalCopiesOptions {
  /** Maximum size of the copies not in use. */
  bytesMax: number;
  /** A copy this old is deleted once nobody reads it: the file may have been erased from the store. */
  ageMsMax: number;
}

interface Copy {
  /** A directory for each copy: one for all would become old enough to count as abandoned. */
  directory: Promise<string>;
  /** Settles when the copy is complete. */
  path: Promise<string>;
  /** 0 until the copy is complete. */
  bytes: number;
  users: number;
  retirement: NodeJS.Timeout;
}

export function createLocalCopies(files: FileStore, { bytesMax, ageMsMax }: LocalCopiesOptions): LocalCopies {
  /** The least recently used copy comes first. */
  const copies = new Map<string, Copy>();
  /** All copies on the disk, including those that are deleted after their last use. */
  const onDisk = new Set<Copy>();

  function startCopy(key: string): Copy {
    const directory = makeTemporaryDirectory();
    const retirement = setTimeout(() => retire(key, copy).catch(() => {}), ageMsMax).unref();
    const copy: Copy = { directory, path: Promise.resolve(''), bytes: 0, users: 0, retirement };
    onDisk.add(copy);
    copy.path = fill(key, copy);
    copy.path.catch(() => retire(key, copy));
    return copy;
  }

  async function fill(key: string, copy: Copy): Promise<string> {
    const path = join(await copy.directory, 'copy');
    copy.bytes = await downloadFile(files, key, path);
    return path;
  }

  async function useCopy<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result> {
    const copy = copies.get(key) ?? startCopy(key);
    copies.delete(key);
    copies.set(key, copy);
    copy.users += 1;
    try {
      const path = await copy.path;
      if (existsSync(path)) return await use(path);
      await retire(key, copy); // somebody has emptied the directory for temporary files
    } finally {
      copy.users -= 1;
      if (copies.get(key) !== copy && copy.users === 0) await discard(copy);
      await dropOldest();
    }
    return useCopy(key, use);
  }

  /** Gives the next user a new copy. The last user of this one deletes it. */
  async function retire(key: string, copy: Copy): Promise<void> {
    if (copies.get(key) === copy) copies.delete(key);
    if (copy.users === 0) await discard(copy);
  }

  async function dropOldest(): Promise<void> {
    let bytes = 0;
    for (const copy of copies.values()) bytes += copy.bytes;
    for (const [key, copy] of copies) {
      if (bytes <= bytesMax) return;
      if (copy.users > 0) continue;
      bytes -= copy.bytes;
      await retire(key, copy);
    }
  }

  async function discard(copy: Copy): Promise<void> {
    clearTimeout(copy.retirement);
    onDisk.delete(copy);
    const directory = await copy.directory.catch(() => null);
    if (directory !== null) await rm(directory, { recursive: true, force: true });
  }

  return {
    async use(key, use) {
      const path = files.pathOf(key);
      if (path === null) return useCopy(key, use);
      if (!(await files.has(key))) throw missing(key);
      return use(path);
    },
    async close() {
      copies.clear();
      await Promise.all([...onDisk].map(discard));
    },
  };
}
