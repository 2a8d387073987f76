import type { Readable } from 'node:stream';

/**
 * Stores the bytes of documents. A key is a content address that the caller made, such as `sha256/ab/cdef…`. Equal keys
 * mean equal bytes, so storing a file twice, or from two processes at once, stores one file. Every method throws a
 * `FileStoreError` if the store fails.
 */
export interface FileStore {
  /**
   * Stores a file atomically. Once this resolves, the file survives a power cut. Before that, nobody sees any part of
   * it.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Stores a local file of any size without reading it into memory. It moves the file: `path` no longer exists once
   * this resolves, and may not exist if it fails. `signal` ends an upload to a remote store before its next part; it then
   * fails, and nothing of the file stays there.
   */
  putFile(key: string, path: string, signal?: AbortSignal): Promise<void>;
  /**
   * Opens a file, or a range of its bytes. Null if it doesn't exist. The caller reads the stream to its end or destroys it.
   * The range must lie within the file.
   */
  get(key: string, range?: ByteRange): Promise<StoredFile | null>;
  /** Returns the size in bytes without reading the file. Null if it doesn't exist. */
  sizeOf(key: string): Promise<number | null>;
  has(key: string): Promise<boolean>;
  /**
   * Returns the file's path on the local disk, whether or not it exists. Null for a remote store. `withLocalFile`
   * handles both.
   */
  pathOf(key: string): string | null;
  /** Removes a file. Succeeds if it doesn't exist. */
  remove(key: string): Promise<void>;
}

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

export interface StoredFile {
  /** Of the range, if one was asked for. */
  sizeBytes: number;
  /** Yields exactly `sizeBytes` bytes, or fails with a `FileStoreError`. */
  stream: Readable;
}
