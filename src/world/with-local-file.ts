import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStore } from './files.ts';
import { FileStoreError } from './files-error.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

/**
 * Gives a stored file to what reads from a path: the file itself where the store is on this machine's disk, which must
 * not be written to, else a copy that is removed afterwards. Throws a `FileStoreError` when the store fails or has none.
 */
export async function withLocalFile<Result>(
  files: FileStore,
  key: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = files.pathOf(key);
  if (path !== null) {
    if (!(await files.has(key))) throw missing(key);
    return use(path);
  }
  return withTemporaryDirectory(async (directory) => {
    const copy = join(directory, 'copy');
    await downloadFile(files, key, copy);
    return use(copy);
  });
}

/** Copies a stored file to a path that is not there yet. Returns its size in bytes. */
export async function downloadFile(files: FileStore, key: string, to: string): Promise<number> {
  const file = await files.get(key);
  if (file === null) throw missing(key);
  await pipeline(file.stream, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  return file.sizeBytes;
}

export function missing(key: string): FileStoreError {
  return new FileStoreError(`the file store has no ${key}`);
}
