/** A file to join. The file at `path` must not change. */
export interface PartToJoin {
  path: string;
  /** Its entry in the outline. */
  title: string;
  /** The number of pages that it is shown with. */
  pageCount: number;
}

/** `part`: the index of the first file that can't be joined. */
export type Joining = { ok: true } | { ok: false; part: number; reason: 'encrypted' | 'damaged' };

/** The job of the process that joins PDFs. */
export interface JoinJob {
  kind: 'join';
  parts: readonly PartToJoin[];
  output: string;
}
