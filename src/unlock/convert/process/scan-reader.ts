import { type OpenDocument, withPage } from '../../../pdf/pdfium/open-document.ts';
import type { Word } from '../layout/word.ts';
import { readScan } from '../reading/read-scan.ts';
import { loadRecogniser, type Recogniser } from '../reading/recogniser.ts';

/** Maximum for one file. Each page takes about three seconds, and a job has fifteen minutes. */
const scannedPagesMax = 250;
/** Maximum of pages with some text. With as many scanned pages as there may be, they fit into the time of a job. */
const stampedPagesMax = 40;

/** Thrown when a file has more scanned pages than can be read in time. */
export class TooManyScans extends Error {}

/** Reads scanned pages. Loads the recogniser with the first one, because that takes long. */
export interface ScanReader {
  /** Returns no words when the page can't be recognised. */
  read(page: number): Promise<Word[]>;
  /** Reads a page that has some text. Returns no words after too many of them. */
  readStamped(page: number): Promise<Word[]>;
}

export function createScanReader(document: OpenDocument): ScanReader {
  let loading: Promise<Recogniser | null> | undefined;
  let scanned = 0;
  let stamped = 0;
  const recognise = async (page: number): Promise<Word[] | null> => {
    loading ??= loadRecogniser();
    const recogniser = await loading;
    return recogniser && withPage(document, page, (handle) => readScan(document, handle, recogniser));
  };
  return {
    async read(page) {
      const words = await recognise(page);
      if (words !== null) scanned += 1;
      if (scanned > scannedPagesMax) throw new TooManyScans();
      return words ?? [];
    },
    async readStamped(page) {
      stamped += 1;
      return stamped > stampedPagesMax ? [] : ((await recognise(page)) ?? []);
    },
  };
}
