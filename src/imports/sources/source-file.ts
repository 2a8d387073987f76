import type { Readable } from 'node:stream';
import type { FailureReason } from '../import.ts';

/** One file of an import source, before its download. */
export interface SourceFile {
  /** Null if only the download tells it. */
  name: string | null;
  /** The size that the source declares. It is reserved, but the received bytes count. */
  declaredBytes: number | null;
  /** Null for files of other sources than a drive. */
  driveFileId: string | null;
  /** Identifies the same contents in a later import without a download. */
  revision: DriveRevision | null;
  /** The SHA-256 of a store's link. Null for files without one. */
  linkHash: Buffer | null;
  content: FailedContent | FetchableContent;
}

export interface DriveRevision {
  driveFileId: string;
  revision: string;
}

/** A file that is known to fail and needs no download. */
export interface FailedContent {
  kind: 'fails';
  reason: FailureReason;
}

export interface FetchableContent {
  kind: 'fetch';
  bytesMax: number;
  /** The failure of a larger file. */
  tooLarge: FailureReason;
  open(signal: AbortSignal): Promise<OpenedContent>;
}

export type OpenedContent =
  | { kind: 'failed'; reason: FailureReason }
  | {
      kind: 'opened';
      /** The name in the answer, if it is better than that of the link. */
      name: string | null;
      /** Null if the answer declares no length. */
      declaredBytes: number | null;
      /** The failure for HTML contents, which are either a file of that type or the source's error page. */
      htmlReason: FailureReason;
      /** Fails with `PublicFetchError`. The caller reads it to its end or destroys it. */
      body: Readable;
    };
