import { createHash, type Hash } from 'node:crypto';
import type { FoundSeal } from './find-seals.ts';
import { type Digest, readSignedData } from './signed-data.ts';
import { readTimeStamp, type TimeStamp } from './time-stamp.ts';

/** A time-stamp over a file up to its own update, and its token. */
interface DocumentStamp {
  token: Buffer;
  timeStamp: TimeStamp;
}

/** Returns the digest of the bytes that a time-stamp covers. */
type CoveredDigest = (stamp: FoundSeal, digest: Digest) => Buffer;

/** Makes a function for the time-stamps of a file, in order. It hashes the file once, however many there are. */
export function createCoveredDigest(file: Buffer): CoveredDigest {
  const running = new Map<Digest, { hash: Hash; bytes: number }>();
  return ({ range: [, end, next, length] }, digest) => {
    const known = running.get(digest);
    const start = known !== undefined && known.bytes <= end ? known : { hash: createHash(digest), bytes: 0 };
    start.hash.update(file.subarray(start.bytes, end));
    running.set(digest, { hash: start.hash, bytes: end });
    return start.hash
      .copy()
      .update(file.subarray(next, next + length))
      .digest();
  };
}

/** Reads a time-stamp and checks it against the bytes that it covers. Returns null when it does not hold. */
export function readDocumentStamp(stamp: FoundSeal, digestOf: CoveredDigest): DocumentStamp | null {
  const { contents } = stamp;
  if (contents === null) return null;
  try {
    const { raw: token } = readSignedData(contents);
    const isRoomEmpty = contents.subarray(token.length).every((byte) => byte === 0);
    return isRoomEmpty ? { token, timeStamp: readTimeStamp(token, (digest) => digestOf(stamp, digest)) } : null;
  } catch {
    return null;
  }
}
