import type { X509Certificate } from 'node:crypto';
import type { ByteRange, FoundSeal } from '../reading/find-seals.ts';
import { findSeals } from '../reading/find-seals.ts';
import { locateSeal } from '../reading/locate-seal.ts';

/** The signed range of a seal, and the digest stated in it (hex). */
export interface OwnSeal {
  byteRange: ByteRange;
  signedDigest: string;
}

/**
 * Finds the new seal by its signature, because the attached file may contain text that looks like a seal. Returns null when
 * no signature is valid for the certificate.
 */
export function ownSeal(bytes: Uint8Array, own: X509Certificate): OwnSeal | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = locateSeal<FoundSeal>(file, findSeals(file), (certificate) => certificate.raw.equals(own.raw));
  return found && { byteRange: found.seal.range, signedDigest: found.signed.messageDigest.toString('hex') };
}
