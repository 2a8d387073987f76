import { PDF } from '@libpdf/core';
import { readValidationUpdate } from '../reading/validation-update.ts';
import { reserveObjectNumbers } from './reserve-object-numbers.ts';
import { timestampAuthority } from './timestamp-authority.ts';

/**
 * Adds a document time-stamp to a sealed PDF (PAdES B-LTA, ETSI EN 319 142-1, 5.4.3). It proves that the seal and its validation
 * data existed at that time, even after their algorithms are broken or their certificates have ended. The file is only
 * appended to. Returns it without a time-stamp when verifying could not tell the addition from a change, because the
 * attached file is damaged.
 *
 * @throws when the authority at `tsaUrl` makes no time-stamp.
 */
export async function stampPdf(sealed: Uint8Array, tsaUrl: string): Promise<Uint8Array> {
  const pdf = await PDF.load(sealed);
  reserveObjectNumbers(pdf, sealed);
  const { bytes } = await pdf.addTimestamp({ timestampAuthority: timestampAuthority(tsaUrl) });
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readValidationUpdate(file, sealed.length) === null ? sealed : file;
}
