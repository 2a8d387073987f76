/** What the service asks of the process that draws: to make a PDF of the pages at `source`, and write it to `output`. */
export interface RenderJob {
  kind: 'render';
  /** As `createPageWriter` leaves them. */
  source: string;
  /** Must not be there. */
  output: string;
  title: string;
  /** When it is made. */
  at: Date;
}

export interface RenderResult {
  render: Rendering;
}

export interface Rendering {
  sha256: Uint8Array;
  bytes: number;
  /** In points. */
  pages: Array<{ width: number; height: number }>;
}
