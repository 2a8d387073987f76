import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from './files.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';
import { downloadFile, missing } from './with-local-file.ts';

/**
 * Gives programs paths of stored files that they read repeatedly. For a local store these are the files themselves. For
 * a remote store they are copies, and the most recently used ones are kept up to a size.
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
}

interface Copy {
  /** Settles when the copy is complete. */
  path: Promise<string>;
  /** 0 until the copy is complete. */
  bytes: number;
  users: number;
}

export function createLocalCopies(files: FileStore, { bytesMax }: LocalCopiesOptions): LocalCopies {
  /** The least recently used copy comes first. */
  const copies = new Map<string, Copy>();
  let directory: Promise<string> | undefined;
  let made = 0;

  function startCopy(key: string): Copy {
    const copy: Copy = { path: Promise.resolve(''), bytes: 0, users: 0 };
    copy.path = fill(key, copy);
    copy.path.catch(() => copies.delete(key));
    return copy;
  }

  async function fill(key: string, copy: Copy): Promise<string> {
    directory ??= makeTemporaryDirectory();
    made += 1;
    const name = String(made);
    const path = join(await directory, name);
    copy.bytes = await downloadFile(files, key, path);
    return path;
  }

  async function useCopy<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result> {
    const copy = copies.get(key) ?? startCopy(key);
    copies.delete(key);
    copies.set(key, copy);
    copy.users += 1;
    try {
      return await use(await copy.path);
    } finally {
      copy.users -= 1;
      await dropOldest();
    }
  }

  async function dropOldest(): Promise<void> {
    let bytes = 0;
    for (const copy of copies.values()) bytes += copy.bytes;
    for (const [key, copy] of copies) {
      if (bytes <= bytesMax) return;
      if (copy.users > 0) continue;
      copies.delete(key);
      bytes -= copy.bytes;
      await rm(await copy.path, { force: true });
    }
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
      if (directory !== undefined) await rm(await directory, { recursive: true, force: true });
    },
  };
}
