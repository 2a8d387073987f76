import { type OpenDocument, withPage } from '../../world/pdf/pdfium/open-document.ts';
import type { Word } from '../layout/word.ts';
import { readScan } from '../reading/read-scan.ts';
import { loadRecogniser, type Recogniser } from '../reading/recogniser.ts';

/** Of one file: each takes some three seconds, and the process has fifteen minutes for the whole. */
const scannedPagesMax = 250;

/** Thrown when a file has more pages that are pictures than can be read in time. */
export class TooManyScans extends Error {}

/** Reads pages that are pictures, with what takes long to load loaded for the first of them. */
export interface ScanReader {
  /** None where nobody can read it. */
  read(page: number): Promise<Word[]>;
}

export function createScanReader(document: OpenDocument): ScanReader {
  let loading: Promise<Recogniser | null> | undefined;
  let scanned = 0;
  return {
    async read(page) {
      loading ??= loadRecogniser();
      const recogniser = await loading;
      if (recogniser === null) return [];
      const words = withPage(document, page, (handle) => readScan(document, handle, recogniser));
      if (words !== null) scanned += 1;
      if (scanned > scannedPagesMax) throw new TooManyScans();
      return words ?? [];
    },
  };
}
