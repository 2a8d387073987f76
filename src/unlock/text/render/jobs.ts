/** A job of the process that draws: make a PDF of the pages at `source`, and write it to `output`. */
export interface RenderJob {
  kind: 'render';
  /** Path of a file that `createPageWriter` wrote. */
  source: string;
  /** Path of a file that does not exist. */
  output: string;
  title: string;
  /** Creation time of the PDF. */
  at: Date;
}

export interface RenderResult {
  render: Rendering;
}

export interface Rendering {
  sha256: Uint8Array;
  bytes: number;
  /** Page sizes in points. */
  pages: Array<{ width: number; height: number }>;
}
