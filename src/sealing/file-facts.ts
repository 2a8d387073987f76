/**
 * How an attached file was sealed:
 * - `pages`: values are drawn on its pages and the certificate is appended, in one incremental update.
 * - `rewritten`: the same on a rewritten copy, because the file was damaged or had an owner password.
 * - `signed`: the file had signatures, which allow only another signature. That signature carries the certificate.
 * - `enclosed`: the file is embedded unchanged in a new PDF, behind pictures of its pages, because it cannot or must not be changed.
 */
export type FileManner = 'pages' | 'rewritten' | 'signed' | 'enclosed';

export interface FileFacts {
  name: string;
  manner: FileManner;
  /** Digest of the file as it was attached. */
  before: Digest;
  /**
   * Digest of the file with the values drawn on it, which is the first `bytes` bytes of the sealed PDF. Null when the
   * sealed PDF does not begin with such a file.
   */
  after: Digest | null;
  /** The number of pictures of the file's pages at the beginning of the sealed PDF. Left out when there are none. */
  pictures?: number;
}

export interface Digest {
  /** Hex. */
  sha256: string;
  bytes: number;
}

/** A file to embed in a sealed PDF. */
export interface EnclosedFile {
  name: string;
  mediaType: string;
  description: string;
  bytes: Uint8Array;
}
