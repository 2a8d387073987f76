import type { X509Certificate } from 'node:crypto';

export type DigestAlgorithm = 'SHA-256' | 'SHA-384' | 'SHA-512';

/** A key that seals documents, with its certificate. Where the key is kept, and how it signs, is its adapter's affair. */
export interface Signer {
  certificate: X509Certificate;
  /** The certificates above it, as far as they are known. The issuer of `certificate` comes first. */
  chain: X509Certificate[];
  keyType: 'RSA' | 'EC';
  /** The only one that the key is asked to sign with. */
  digestAlgorithm: DigestAlgorithm;
  /**
   * Signs the digest of `data`: RSASSA-PKCS1-v1_5, or ECDSA in DER.
   *
   * @throws a `SigningServiceError` when the key can't be used now.
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
}
