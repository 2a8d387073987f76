import { createHash } from 'node:crypto';
import { endOf, findSeals } from '../pdf/reading/find-seals.ts';

/** SHA-256 of the first bytes of a file, up to the possible end of a seal. */
export interface Fingerprint {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** Returns fingerprints of the whole file and of each beginning that may be a sealed file, the longest first. */
export function fingerprintsOf(file: Buffer): Fingerprint[] {
  const ends = findSeals(file)
    .map(endOf)
    .filter((end) => end > 0 && end < file.length);
  const lengths = [...new Set([...ends, file.length])].sort((a, b) => a - b);
  const hash = createHash('sha256');
  let hashed = 0;
  const fingerprints = lengths.map((bytes) => {
    hash.update(file.subarray(hashed, bytes));
    hashed = bytes;
    return { bytes, sha256: hash.copy().digest('hex') };
  });
  return fingerprints.reverse();
}
