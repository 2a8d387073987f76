import type { StampPicture } from '../pictures/make-stamp.ts';
import type { FormField } from './form-fields.ts';
import type { PdfInspection } from './inspect-pdf.ts';
import type { PageText } from './page-text.ts';
import type { PageImage } from './render-page.ts';

/** Jobs of the processes that read PDFs and pictures. The files at these paths must not change. Pages count from 1. */
export type ReadJob =
  | { kind: 'inspect'; path: string }
  | { kind: 'render'; path: string; page: number; width: number }
  | { kind: 'text'; path: string; page: number }
  | { kind: 'form'; path: string }
  | { kind: 'stamp'; path: string };

export interface ReadResult {
  inspect: PdfInspection;
  render: PageImage;
  text: PageText;
  form: FormField[];
  stamp: StampPicture;
}
