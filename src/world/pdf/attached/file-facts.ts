/**
 * What became of an attached file:
 * - `pages`: values are drawn on its pages and the certificate stands behind them, all as one update of the file.
 * - `rewritten`: the same, on a copy written anew, because the file was encrypted for its owner only, or damaged.
 * - `signed`: it bore signatures, so the only change is what they allow: another signature, which carries the rest.
 * - `enclosed`: it is embedded as it was in a PDF of our own, because no change to it is allowed or possible.
 */
export type FileManner = 'pages' | 'rewritten' | 'signed' | 'enclosed';

export interface FileFacts {
  name: string;
  manner: FileManner;
  /** Of the file as it was attached. */
  before: Digest;
  /** Of the file with the values on it: as many of the first bytes of the sealed PDF. Null: there is no such file. */
  after: Digest | null;
}

export interface Digest {
  /** Hex. */
  sha256: string;
  bytes: number;
}
