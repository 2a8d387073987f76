import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { S3Settings } from '../config/settings.ts';
import { OperatorError } from '../errors.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import { FileStoreError } from './files-error.ts';
import { createLocalFiles } from './files-local.ts';
import { checkS3Settings, createS3Files } from './files-s3.ts';
import { makeDirectory } from './make-directory.ts';

export type { FileStore, StoredFile };

/**
 * Creates the file store of `file:/absolute/path` or `s3://bucket/prefix`. Throws an `OperatorError` that names the bad
 * setting. `timeoutMs`: how long a remote store may be silent, before and during its answer.
 */
export function createFileStore(filesUrl: string, s3: S3Settings, timeoutMs = 30_000): FileStore {
  const scheme = /^[a-z0-9]+:/i.exec(filesUrl)?.[0].toLowerCase();
  switch (scheme) {
    case 'file:':
      return createLocalFiles(directoryOf(filesUrl));
    case 's3:':
      return createS3Files(filesUrl, s3, timeoutMs);
    default:
      throw new OperatorError('bad setting FILES_URL: it must start with file: or s3:');
  }
}

/** Creates the file store and its local directory. Throws an `OperatorError` that names the bad setting. */
export async function openFileStore(filesUrl: string, s3: S3Settings): Promise<FileStore> {
  const files = createFileStore(filesUrl, s3);
  if (/^s3:/i.test(filesUrl)) await checkS3Settings(filesUrl, s3);
  const directory = localDirectoryOf(filesUrl);
  if (directory !== null) {
    await makeDirectory(directory, 0o700).catch((error: Error) => {
      throw new OperatorError(`bad setting FILES_URL: ${error.message}`, { cause: error });
    });
  }
  return files;
}

/** Reads a small file into memory. Throws a `FileStoreError` if it has more than `bytesMax` bytes. */
export async function readStoredFile(file: StoredFile, bytesMax: number): Promise<Buffer> {
  if (file.sizeBytes > bytesMax) {
    file.stream.destroy();
    throw new FileStoreError(`a stored file has ${file.sizeBytes} bytes, more than the ${bytesMax} allowed here`);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.stream) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Returns the directory of a store in files. Null for another kind of store. Throws as `createFileStore` does. */
export function localDirectoryOf(filesUrl: string): string | null {
  return /^file:/i.test(filesUrl) ? directoryOf(filesUrl) : null;
}

/**
 * `file:///a%20b` is a URL and is decoded. `file:/a b`, which the default built from DATA_DIR may be, is taken
 * literally.
 */
function directoryOf(filesUrl: string): string {
  const directory = filesUrl.startsWith('file://') ? decoded(filesUrl) : filesUrl.slice('file:'.length);
  if (directory === null || !isAbsolute(directory)) {
    throw new OperatorError(
      'bad setting FILES_URL: it must name an absolute path, such as file:/var/lib/countersign/files',
    );
  }
  return directory;
}

function decoded(filesUrl: string): string | null {
  try {
    return fileURLToPath(filesUrl);
  } catch {
    return null;
  }
}
