import { Readable } from 'node:stream';
import type { StoredFile } from './file-store.ts';
import { FileStoreError, fileStoreError } from './files-error.ts';

export interface ChunkSource {
  /** Returns the next bytes, or null at the end. */
  next(): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/** Creates a stored file from a driver's reader. A file that ends early fails. */
export function storedFile(key: string, sizeBytes: number, source: ChunkSource): StoredFile {
  let readBytes = 0;
  const stream = new Readable({
    read() {
      source.next().then(
        (chunk) => {
          readBytes += chunk?.length ?? 0;
          const isWhole = chunk === null ? readBytes === sizeBytes : readBytes <= sizeBytes;
          if (isWhole) this.push(chunk);
          else this.destroy(new FileStoreError(`the file ${key} gave ${readBytes} of its ${sizeBytes} bytes`));
        },
        (error) => this.destroy(fileStoreError('read', key, error)),
      );
    },
    destroy(error, done) {
      source.close().then(
        () => done(error),
        () => done(error), // the bytes read are still valid
      );
    },
  });
  return { sizeBytes, stream };
}
