import { createHash, type X509Certificate } from 'node:crypto';
import { endOf, type FoundSeal } from './find-seals.ts';
import { readSignedData, type SignedData, signatureHolds } from './signed-data.ts';

/** Maximum number of signatures hashed, each over the whole file. A hostile file may contain many matching ranges. */
const hashedMax = 8;

/**
 * Finds the valid signature that covers the whole file and whose certificate passes `isSigner`. A seal is in the part written
 * last, so candidates are tried from the end. Returns it with its CMS, or null when there is none.
 */
export function locateSeal<Seal extends FoundSeal>(
  file: Buffer,
  seals: readonly Seal[],
  isSigner: (certificate: X509Certificate) => boolean,
): { seal: Seal; signed: SignedData } | null {
  const whole = seals.filter((seal) => seal.isExact && endOf(seal) === file.length);
  const lastFirst = whole.sort((a, b) => b.range[1] - a.range[1]);
  let hashed = 0;
  for (const seal of lastFirst) {
    const signed = readSeal(seal);
    if (signed === null || signed.signer === null || !isSigner(signed.signer) || !signatureHolds(signed)) continue;
    if (hashed++ === hashedMax) return null;
    if (coversBytes(file, seal, signed)) return { seal, signed };
  }
  return null;
}

/** Reads the CMS of a signature. Returns null when it is not readable. */
export function readSeal({ contents }: Pick<FoundSeal, 'contents'>): SignedData | null {
  if (contents === null) return null;
  try {
    return readSignedData(contents);
  } catch {
    return null;
  }
}

/** Whether the bytes in the range of a signature have its digest. */
export function coversBytes(file: Buffer, { range }: FoundSeal, { digest, messageDigest }: SignedData): boolean {
  const [first, firstLength, second, secondLength] = range;
  const found = createHash(digest)
    .update(file.subarray(first, first + firstLength))
    .update(file.subarray(second, second + secondLength))
    .digest();
  return found.equals(messageDigest);
}
