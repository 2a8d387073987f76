import type { X509Certificate } from 'node:crypto';
import type { ByteRange, FoundSeal } from '../reading/find-seals.ts';
import { findSeals } from '../reading/find-seals.ts';
import { locateSeal, readSeal } from '../reading/locate-seal.ts';

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
  const seal = locateSeal<FoundSeal>(file, findSeals(file), (certificate) => certificate.raw.equals(own.raw));
  const signed = seal && readSeal(seal);
  return seal && signed && { byteRange: seal.range, signedDigest: signed.messageDigest.toString('hex') };
}
