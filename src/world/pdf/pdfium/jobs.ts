import type { PdfInspection } from './inspect-pdf.ts';
import type { PageText } from './page-text.ts';
import type { PageImage } from './render-page.ts';

/** What the service asks of the processes that read PDFs. Paths are of files that nobody changes; pages count from 1. */
export type ReadJob =
  | { kind: 'inspect'; path: string }
  | { kind: 'render'; path: string; page: number; width: number }
  | { kind: 'text'; path: string; page: number };

export interface ReadResult {
  inspect: PdfInspection;
  render: PageImage;
  text: PageText;
}
