import { createHash, type X509Certificate } from 'node:crypto';
import { endOf, type FoundSeal } from './find-seals.ts';
import { readSignedData, type SignedData, signatureHolds } from './signed-data.ts';

/** How many are hashed, each over the whole file: an attached file may have guessed at ranges like that of its seal. */
const hashedMax = 8;

/**
 * Finds the signature that covers the whole file, is made by one of `signers`, and holds. A seal stands in the part that was
 * written last, so candidates are tried from the end. Null: there is none.
 */
export function locateSeal<Seal extends FoundSeal>(
  file: Buffer,
  seals: readonly Seal[],
  isSigner: (certificate: X509Certificate) => boolean,
): Seal | null {
  const whole = seals.filter((seal) => seal.isExact && endOf(seal) === file.length);
  const lastFirst = whole.sort((a, b) => b.range[1] - a.range[1]);
  let hashed = 0;
  for (const seal of lastFirst) {
    const signed = readSeal(seal);
    if (signed === null || signed.signer === null || !isSigner(signed.signer) || !signatureHolds(signed)) continue;
    if (hashed++ === hashedMax) return null;
    if (coversBytes(file, seal, signed)) return seal;
  }
  return null;
}

/** The CMS of a signature. Null: it is not legible. */
export function readSeal({ contents }: Pick<FoundSeal, 'contents'>): SignedData | null {
  if (contents === null) return null;
  try {
    return readSignedData(contents);
  } catch {
    return null;
  }
}

/** Whether the bytes in the range of a signature are those that it names. */
export function coversBytes(file: Buffer, { range }: FoundSeal, { digest, messageDigest }: SignedData): boolean {
  const [first, firstLength, second, secondLength] = range;
  const found = createHash(digest)
    .update(file.subarray(first, first + firstLength))
    .update(file.subarray(second, second + secondLength))
    .digest();
  return found.equals(messageDigest);
}
