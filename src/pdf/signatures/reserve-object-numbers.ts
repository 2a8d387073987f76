import { type PDF, PdfRef } from '@libpdf/core';
import { highestNumber, objectNumberMax } from '../strict/highest-number.ts';

/** Gap between the highest number in the file and the first number of the seal. */
const margin = 1000;
/** Object numbers that must remain for the seal. The largest seals use a few thousand. */
const room = 500_000;

/**
 * Makes new objects of a PDF use numbers far above every number that the file contains. Unused objects and references to
 * missing objects count too. Such a reference could otherwise point to an object of the seal and show, for example, text
 * that a recipient typed as part of a page.
 *
 * @throws when the file leaves too few object numbers.
 */
export function reserveObjectNumbers(pdf: PDF, bytes: Uint8Array): void {
  const { registry } = pdf.context;
  const first = Math.max(highestNumber(bytes) + 1, registry.nextObjectNumber) + margin;
  if (first + room > objectNumberMax) throw new Error('the file leaves no object numbers for a seal');
  // libpdf numbers new objects after the highest number that was requested.
  registry.resolve(PdfRef.of(first - 1, 0));
}
