import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStore } from './files.ts';
import { FileStoreError } from './files-error.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

/**
 * Calls `use` with the path of a stored file. A local store gives the file itself, which must not be written to. A
 * remote store gives a copy that is deleted afterwards. Throws a `FileStoreError` if the store fails or has no such file.
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
