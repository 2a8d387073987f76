import { createHash, verify, X509Certificate } from 'node:crypto';
import { type SignatureRequest, SigningKeyError } from '../signing-key/signing-key.ts';
import { CertificateError } from './certificate-error.ts';
import { readPem } from './certificates-used.ts';
import { withLowS } from './low-s.ts';
import type { DigestAlgorithm, Signer } from './signer.ts';
import { assertMaySign, chainOf, usableKeyType } from './signing-certificate-rules.ts';

/** The digest for each curve. Key management services refuse other combinations. */
const digestOfCurve: Record<string, DigestAlgorithm> = { secp384r1: 'SHA-384', secp521r1: 'SHA-512' };

/**
 * Makes a signer from the certificates of an external key: PEM, or one certificate in DER. `sign` receives the digest and
 * signs it with that key.
 *
 * @throws a `CertificateError` with a message of one line.
 */
export function openChain(file: Buffer, sign: (request: SignatureRequest) => Promise<Buffer>): Signer {
  const certificates = readCertificates(file);
  const certificate = leafOf(certificates);
  assertMaySign(certificate);
  const { publicKey } = certificate;
  const keyType = usableKeyType(publicKey);
  const digestAlgorithm = digestOfCurve[publicKey.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'SHA-256';
  return {
    certificate,
    chain: chainOf(certificate, certificates),
    keyType,
    digestAlgorithm,
    async sign(data) {
      const digest = createHash(digestAlgorithm.replace('-', '')).update(data).digest();
      const signature = await sign({ digest, digestAlgorithm, keyType });
      // The provider may have replaced the key since the service started.
      if (!verify(digestAlgorithm, data, publicKey, signature)) {
        throw new SigningKeyError(
          'it does not belong to the certificate, or it does not sign with RSASSA-PKCS1-v1_5 or ECDSA',
        );
      }
      return withLowS(signature, publicKey);
    },
  };
}

function readCertificates(file: Buffer): X509Certificate[] {
  try {
    const found = file.includes('-----BEGIN') ? readPem(file) : [file];
    const certificates = found.map((der) => new X509Certificate(der));
    if (certificates.length > 0) return certificates;
  } catch {
    // The error below covers this.
  }
  throw new CertificateError('with SIGNING_KEY it must be a PEM file with the certificate of the key and its chain');
}

/** Finds the certificate that issued none of the others. The certificates may be in any order. */
function leafOf(certificates: X509Certificate[]): X509Certificate {
  const distinct = [...new Map(certificates.map((one) => [one.fingerprint256, one])).values()];
  const leaves = distinct.filter((one) => !distinct.some((other) => other !== one && other.checkIssued(one)));
  const [leaf] = leaves;
  if (leaf !== undefined && leaves.length === 1) return leaf;
  throw new CertificateError('it has several end certificates: keep only the certificate of the key');
}
