/** A job of the processes that unlock: read one file, and write its contents to another. */
export interface UnlockJob {
  kind: 'unlock';
  source: string;
  output: string;
  /** Number of pages, as found by inspection. The file may claim more. */
  pages: number;
}

export interface UnlockResult {
  unlock: Conversion;
}

export type Conversion =
  | {
      ok: true;
      pages: number;
      /** SHA-256 of the output. */
      sha256: Uint8Array;
      bytes: number;
    }
  | { ok: false; reason: ConversionFailure };

/**
 * Why a file could not be unlocked. `encrypted_pdf`: it needs a password, or its owner forbids copying. `no_text`: it has no
 * text, or only pictures that can't be recognised. `conversion_failed`: it is damaged, or takes too much time or memory.
 */
export type ConversionFailure = 'encrypted_pdf' | 'no_text' | 'conversion_failed';
