import type { PageSize } from '../pdf/pdfium/inspect-pdf.ts';
import type { FileContent } from './stored-files.ts';

/** A PDF that passed inspection and is in the file store. */
export interface NewFile extends FileContent {
  /** The file name that people see, such as `Lease.pdf`. */
  name: string;
  pages: readonly PageSize[];
  isSigned: boolean;
}
