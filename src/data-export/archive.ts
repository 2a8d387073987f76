/** Takes the files of an export, one after the other: a ZIP file, or a directory. */
export interface Archive {
  /**
   * Writes one file and waits until all of it is written. If `content` throws, nothing of the file stays, and the error is
   * thrown on. `path` has safe segments joined by slashes. `compress`: false for what is compressed already, such as PDFs.
   */
  add(path: string, content: AsyncIterable<Uint8Array>, options: { compress: boolean }): Promise<void>;
  /** Completes the archive and writes it to the disk. */
  finish(): Promise<void>;
  /** Closes what the archive opened itself, also after a failure. */
  close(): Promise<void>;
  /** Size of everything written, in bytes. */
  readonly bytes: number;
}
