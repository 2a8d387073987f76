import type { PDF } from '@libpdf/core';
import { compressStreams } from './compress-streams.ts';

/** Saves a PDF with its new parts compressed. */
export async function savePdf(pdf: PDF, options: { incremental?: boolean } = {}): Promise<Uint8Array> {
  finishPdf(pdf);
  return pdf.save({ ...options, ...asFinished });
}

/** libpdf would compress what `finishPdf` leaves as it is. */
export const asFinished = { compressStreams: false };

/** Embeds subsets of the fonts in use and compresses the new streams. */
export function finishPdf(pdf: PDF): void {
  pdf.fonts.finalize(true);
  compressStreams(pdf);
}
