import { X509Certificate } from 'node:crypto';
import { Certificate, CertificateChainValidationEngine, type ExtKeyUsage } from 'pkijs';
import { readSignedData } from './signed-data.ts';

const extendedKeyUsage = '2.5.29.37';
const timeStamping = '1.3.6.1.5.5.7.3.8';

/**
 * Whether the signer of a time-stamp was an authority for time-stamps at time `at`, with a certificate that leads to one of
 * `anchors` (DER). The caller must have checked the token itself with `readTimeStamp`.
 */
export async function isTrustedTimeStamp(token: Buffer, at: Date, anchors: readonly Uint8Array[]): Promise<boolean> {
  if (anchors.length === 0) return false;
  try {
    const { signer, certificates } = readSignedData(token);
    if (signer === null || !isForTimeStamps(signer)) return false;
    const issuers = certificates.filter((one) => one !== signer && one.ca).map(({ raw }) => raw);
    const engine = new CertificateChainValidationEngine({
      trustedCerts: anchors.map(parsed),
      // pkijs builds the chain of the last certificate.
      certs: [...issuers, signer.raw].map(parsed),
      checkDate: at,
    });
    const { result, certificatePath = [] } = await engine.verify();
    return result && areAuthorities(certificatePath.slice(1));
  } catch {
    return false;
  }
}

function parsed(der: Uint8Array): Certificate {
  return Certificate.fromBER(der);
}

/** Whether time-stamping is the only purpose, in a critical extension (RFC 3161, 2.3). */
function isForTimeStamps({ raw }: X509Certificate): boolean {
  const usage = parsed(raw).extensions?.find(({ extnID }) => extnID === extendedKeyUsage);
  const purposes = (usage?.parsedValue as ExtKeyUsage | undefined)?.keyPurposes ?? [];
  return usage?.critical === true && purposes.length === 1 && purposes[0] === timeStamping;
}

/** pkijs lets an issuer without basic constraints pass. RFC 5280, 4.2.1.9 does not. */
function areAuthorities(issuers: readonly Certificate[]): boolean {
  return issuers.every((issuer) => new X509Certificate(Buffer.from(issuer.toSchema().toBER())).ca);
}
