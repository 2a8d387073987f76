import type { Readable } from 'node:stream';

/**
 * Where the bytes of documents live. A key is a content address that the caller made, such as `sha256/ab/cdef…`:
 * the same key is always the same bytes, so that putting a file twice, or from two processes at once, is one file.
 * Every method throws a `FileStoreError` when the store fails.
 */
export interface FileStore {
  /** Once this resolves the file is whole and survives a power cut; until then nobody sees any of it. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * The same for a finished file of this machine, however large: it is not read into memory. The file is taken: it is
   * gone from `path` once this resolves, and may be when it fails.
   */
  putFile(key: string, path: string): Promise<void>;
  /** Null: no such file. The caller reads the stream to its end or destroys it. */
  get(key: string): Promise<StoredFile | null>;
  /** The size in bytes, without reading the file. Null: no such file. */
  sizeOf(key: string): Promise<number | null>;
  has(key: string): Promise<boolean>;
  /** Where the file lies, or would lie, on this machine's disk; null for a store elsewhere. `withLocalFile` knows both. */
  pathOf(key: string): string | null;
  /** Removing what is not there is no failure. */
  remove(key: string): Promise<void>;
}

export interface StoredFile {
  sizeBytes: number;
  /** Gives exactly `sizeBytes` bytes, or fails with a `FileStoreError`. */
  stream: Readable;
}
