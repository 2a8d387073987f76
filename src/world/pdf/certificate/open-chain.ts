import { createHash, verify, X509Certificate } from 'node:crypto';
import { type SignatureRequest, SigningKeyError } from '../../signing-key/signing-key.ts';
import { readPem } from '../certificates-used.ts';
import { CertificateError } from './certificate-error.ts';
import { withLowS } from './low-s.ts';
import type { DigestAlgorithm, Signer } from './signer.ts';
import { assertMaySign, chainOf, usableKeyType } from './signing-certificate-rules.ts';

/** Providers sign with the digest that fits the curve, and refuse others. */
const digestOfCurve: Record<string, DigestAlgorithm> = { secp384r1: 'SHA-384', secp521r1: 'SHA-512' };

/**
 * Opens the certificates of a key that is elsewhere: PEM, or one certificate in DER. `sign` gets the digest and asks that key.
 * Throws a `CertificateError` that says in one line what is wrong.
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
      // A provider may have changed the key since the start.
      if (!verify(digestAlgorithm, data, publicKey, signature)) {
        throw new SigningKeyError(
          'it does not belong to the certificate, or signs in another way than RSASSA-PKCS1-v1_5 or ECDSA',
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
    // said below
  }
  throw new CertificateError('with SIGNING_KEY it must be a PEM file with the certificate of the key and its chain');
}

/** The one that issued no other: the order in the file doesn't matter. */
function leafOf(certificates: X509Certificate[]): X509Certificate {
  const distinct = [...new Map(certificates.map((one) => [one.fingerprint256, one])).values()];
  const leaves = distinct.filter((one) => !distinct.some((other) => other !== one && other.checkIssued(one)));
  const [leaf] = leaves;
  if (leaf !== undefined && leaves.length === 1) return leaf;
  throw new CertificateError('it holds several certificates that issued no other: leave only the one of the key');
}
