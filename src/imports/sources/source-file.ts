import type { Readable } from 'node:stream';
import type { FailureReason } from '../import.ts';

/** One file as its source presents it before any of its bytes were asked for. */
export interface SourceFile {
  /** Null where it is known only with the bytes. */
  name: string | null;
  /** What the source says its size is: reserved of the month's storage, and not believed. */
  declaredBytes: number | null;
  /** Null for what is not in a drive. */
  driveFileId: string | null;
  /** What tells it again when it is imported once more, without a look at its bytes. */
  revision: DriveRevision | null;
  content: FailedContent | FetchableContent;
}

export interface DriveRevision {
  driveFileId: string;
  revision: string;
}

/** What is known not to land needs no download. */
export interface FailedContent {
  kind: 'fails';
  reason: FailureReason;
}

export interface FetchableContent {
  kind: 'fetch';
  bytesMax: number;
  /** What a file of more bytes is answered with. */
  tooLarge: FailureReason;
  open(signal: AbortSignal): Promise<OpenedContent>;
}

export type OpenedContent =
  | { kind: 'failed'; reason: FailureReason }
  | {
      kind: 'opened';
      /** Where the answer names the file better than what led to it. */
      name: string | null;
      /** Null when the length is told by the end. */
      declaredBytes: number | null;
      /** The failure when the contents are HTML: the answer may be a file of that type, or the source's error page. */
      htmlReason: FailureReason;
      /** Fails with a `PublicFetchError`. Read to its end, or destroyed. */
      body: Readable;
    };
