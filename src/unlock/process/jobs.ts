/** What the service asks of the processes that unlock: to read one file and to write what is on it to another. */
export interface UnlockJob {
  kind: 'unlock';
  source: string;
  output: string;
  /** That it has, as found by inspection: what it claims may be more. */
  pages: number;
}

export interface UnlockResult {
  unlock: Conversion;
}

export type Conversion =
  | {
      ok: true;
      pages: number;
      /** Of the output. */
      sha256: Uint8Array;
      bytes: number;
    }
  | { ok: false; reason: ConversionFailure };

/**
 * `encrypted_pdf`: wants a password, or its owner forbids to copy from it. `no_text`: nothing is written on it, or only
 * as a picture that nobody here can read. `conversion_failed`: it is damaged, or takes too long or too much memory.
 */
export type ConversionFailure = 'encrypted_pdf' | 'no_text' | 'conversion_failed';
