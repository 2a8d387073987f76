import { createHash } from 'node:crypto';
import { endOf, findSeals } from '../world/pdf/reading/find-seals.ts';

/** The first bytes of a file, up to where a seal in it may end. */
export interface Fingerprint {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** Of the whole file first, then of what it may have been when it was sealed, the longest first. */
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
