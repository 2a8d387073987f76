import { createHash } from 'node:crypto';
import { readSignedData, signatureHolds } from '../pdf/reading/signed-data.ts';
import { over, readTimeStamp, type TimeStamp, timeStampAttribute } from '../pdf/reading/time-stamp.ts';
import { makeSeal } from '../pdf/signatures/make-seal.ts';
import { type CertificateFile, openSigner } from '../pdf/signatures/open-signer.ts';
import { timestampAuthority } from '../pdf/signatures/timestamp-authority.ts';
import type { Attestation } from './jobs.ts';

/** Maximum size of an attestation. A chain of certificates and a time-stamp have about 10 KB. */
const cmsBytesMax = 65_536;

/**
 * Signs the hash (hex) of an audit entry: a detached CMS over the 64 digits (CAdES baseline B-B, or B-T with the time-stamp of
 * the authority at `tsaUrl`). One that verifying would not accept is left out. Runs in a PDF process.
 */
export async function attestEntry(
  hash: string,
  certificate: CertificateFile,
  tsaUrl: string | null,
  now: Date,
): Promise<Attestation> {
  const signer = await openSigner(certificate, now);
  const digest = createHash(signer.digestAlgorithm.replace('-', '')).update(hash).digest();
  const authority = tsaUrl === null ? null : timestampAuthority(tsaUrl);
  const stamp = authority && ((stamped: Uint8Array, name: string) => authority.timestamp(stamped, name as never));
  const cms = await makeSeal(digest, signer, stamp, now);
  const timeStamp = stamp && timeStampOf(cms);
  // Sealing accepts such an authority, and no document may wait for another one.
  if (stamp !== null && timeStamp === null) return attestEntry(hash, certificate, null, now);
  if (cms.length > cmsBytesMax) throw new Error(`an attestation of ${cms.length} bytes is too large`);
  if (!signatureHolds(readSignedData(cms))) throw new Error('the new attestation is not valid');
  return { cms, timeStamp };
}

/** Returns the time-stamp as verifying reads it. Null for one of a kind that verifying does not accept, such as one with SHA-1. */
function timeStampOf(cms: Buffer): TimeStamp | null {
  const { signature, unsignedAttributes } = readSignedData(cms);
  try {
    return readTimeStamp(unsignedAttributes.get(timeStampAttribute)?.raw ?? Buffer.alloc(0), over(signature));
  } catch {
    return null;
  }
}
