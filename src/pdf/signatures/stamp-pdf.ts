import { PDF } from '@libpdf/core';
import type { FoundSeal } from '../reading/find-seals.ts';
import { readValidationUpdate } from '../reading/validation-update.ts';
import { reserveObjectNumbers } from './reserve-object-numbers.ts';
import { timestampAuthority } from './timestamp-authority.ts';

/** Adds data to the document security store, in the update of the time-stamp. */
type AddData = (pdf: PDF) => Promise<void>;

/**
 * Adds a document time-stamp to a sealed PDF (PAdES B-LTA, ETSI EN 319 142-1, 5.4.3). It proves that the seal and its validation
 * data existed at that time, even after their algorithms are broken or their certificates have ended. The file is only
 * appended to. Returns it without a time-stamp when verifying could not tell the addition from a change, because the
 * attached file is damaged. `stamps` are the time-stamps after the seal.
 *
 * @throws a `TimeStampError` when the authority at `tsaUrl` makes no time-stamp.
 */
export async function stampPdf(
  sealed: Uint8Array,
  tsaUrl: string,
  addData: AddData = async () => {},
): Promise<{ file: Uint8Array; stamps: FoundSeal[] }> {
  const file = await appendStamp(sealed, tsaUrl, addData);
  const update = readValidationUpdate(file, sealed.length);
  return update === null ? { file: sealed, stamps: [] } : { file, stamps: update.stamps };
}

/** Appends an update with data and a document time-stamp. The caller checks that verifying accepts it. */
export async function appendStamp(bytes: Uint8Array, tsaUrl: string, addData: AddData): Promise<Buffer> {
  const pdf = await PDF.load(bytes);
  reserveObjectNumbers(pdf, bytes);
  await addData(pdf);
  const stamped = await pdf.addTimestamp({ timestampAuthority: timestampAuthority(tsaUrl) });
  return Buffer.from(stamped.bytes.buffer, stamped.bytes.byteOffset, stamped.bytes.byteLength);
}
