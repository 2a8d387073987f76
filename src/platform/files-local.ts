import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteRange, FileStore, StoredFile } from './file-store.ts';
import { createAtomicWriter } from './files-atomic.ts';
import { asFileStoreError } from './files-error.ts';
import { assertFileKey } from './files-key.ts';
import { storedFile } from './files-stream.ts';

const chunkBytes = 65_536;

/** Creates a file store in a local or shared directory. Several processes may use it at once. */
export function createLocalFiles(directory: string): FileStore {
  const writer = createAtomicWriter(directory);

  const within = <T>(operation: string, key: string, run: (path: string) => Promise<T>): Promise<T> => {
    assertFileKey(key);
    return asFileStoreError(operation, key, () => run(join(directory, key)));
  };

  return {
    put: async (key, bytes) => within('put', key, () => writer.write(key, bytes)),
    putFile: async (key, path) => within('put', key, () => writer.move(key, path)),
    get: async (key, range) => within('get', key, (path) => unlessMissing(null, () => openFile(key, path, range))),
    sizeOf: async (key) => within('look for', key, (path) => unlessMissing(null, async () => (await stat(path)).size)),
    has: async (key) =>
      within('look for', key, (path) => unlessMissing(false, async () => (await stat(path)).isFile())),
    pathOf(key) {
      assertFileKey(key);
      return join(directory, key);
    },
    remove: async (key) => within('remove', key, (path) => rm(path, { force: true })),
  };
}

async function openFile(key: string, path: string, range: ByteRange | undefined): Promise<StoredFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { first, last } = range ?? { first: 0, last: size - 1 };
    let at = first;
    const next = async () => {
      // A whole file is read beyond its size, so that one that has grown is noticed.
      const chunk = await readChunk(file, at, range === undefined ? chunkBytes : Math.min(chunkBytes, last + 1 - at));
      at += chunk?.length ?? 0;
      return chunk;
    };
    return storedFile(key, last + 1 - first, { next, close: () => file.close() });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readChunk(file: FileHandle, at: number, bytes: number): Promise<Uint8Array | null> {
  if (bytes <= 0) return null;
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, at);
  return bytesRead === 0 ? null : buffer.subarray(0, bytesRead);
}

async function unlessMissing<T>(missing: T, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
}
