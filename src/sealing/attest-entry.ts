import { createHash } from 'node:crypto';
import { readSignedData, signatureHolds } from '../pdf/reading/signed-data.ts';
import { over, readTimeStamp, timeStampAttribute } from '../pdf/reading/time-stamp.ts';
import { makeSeal } from '../pdf/signatures/make-seal.ts';
import { type CertificateFile, openSigner } from '../pdf/signatures/open-signer.ts';
import { timestampAuthority } from '../pdf/signatures/timestamp-authority.ts';
import type { Attestation } from './jobs.ts';

/** Maximum size of an attestation. A chain of certificates and a time-stamp have about 10 KB. */
const cmsBytesMax = 65_536;

/**
 * Signs the hash (hex) of an audit entry: a detached CMS over the 64 digits (CAdES baseline B-B, or B-T with the time-stamp of
 * the authority at `tsaUrl`). Runs in a PDF process.
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
  const cms = await makeSeal(digest, signer, authority && ((stamped, name) => authority.timestamp(stamped, name)), now);
  if (cms.length > cmsBytesMax) throw new Error(`an attestation of ${cms.length} bytes is too large`);
  const signed = readSignedData(cms);
  if (!signatureHolds(signed)) throw new Error('the new attestation is not valid');
  const token = signed.unsignedAttributes.get(timeStampAttribute);
  return { cms, timeStamp: token === undefined ? null : readTimeStamp(token.raw, over(signed.signature)) };
}
