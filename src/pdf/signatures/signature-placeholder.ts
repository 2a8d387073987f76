import { createHash } from 'node:crypto';
import { PdfArray, type PdfDict, PdfNumber, PdfString } from '@libpdf/core';
import type { DigestAlgorithm } from './signer.ts';

/** A number as wide as every offset in a file of up to 9 GB. */
const anyOffset = 9_999_999_999;
const rangePlaceholder = `[0 ${anyOffset} ${anyOffset} ${anyOffset}]`;

/** Reserves `bytes` bytes for a signature in its dictionary, and its `/ByteRange`. `fillPlaceholder` replaces both. */
export function addPlaceholder(dictionary: PdfDict, bytes: number): void {
  dictionary.set('ByteRange', new PdfArray([0, anyOffset, anyOffset, anyOffset].map((offset) => PdfNumber.of(offset))));
  dictionary.set('Contents', PdfString.fromBytes(new Uint8Array(bytes)));
}

/**
 * Signs a saved file with one placeholder of `bytes` bytes. Writes the `/ByteRange`, hashes everything except the gap, and
 * writes what `sign` returns for the digest into it. The file may contain other text that looks like a placeholder, so the
 * last one is filled: the update with the placeholder is at the end. Changes `file`.
 *
 * @throws when there is no placeholder, or the signature is too large for it.
 */
export async function fillPlaceholder(
  file: Buffer,
  bytes: number,
  algorithm: DigestAlgorithm,
  sign: (digest: Buffer) => Promise<Uint8Array>,
): Promise<void> {
  const gap = `<${'00'.repeat(bytes)}>`;
  const start = file.lastIndexOf(gap, undefined, 'latin1');
  const rangeStart = file.lastIndexOf(rangePlaceholder, undefined, 'latin1');
  if (start === -1 || rangeStart === -1) throw new Error('the file has no place for a signature');
  const end = start + gap.length;
  const range = `[0 ${start} ${end} ${file.length - end}`.padEnd(rangePlaceholder.length - 1);
  file.write(`${range}]`, rangeStart, 'latin1');
  const digest = createHash(algorithm.replace('-', ''))
    .update(file.subarray(0, start))
    .update(file.subarray(end))
    .digest();
  const signature = Buffer.from(await sign(digest));
  if (signature.length > bytes) throw new Error(`a signature of ${signature.length} bytes does not fit into ${bytes}`);
  file.write(signature.toString('hex').toUpperCase(), start + 1, 'latin1');
}
