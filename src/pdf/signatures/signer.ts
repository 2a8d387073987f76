import type { X509Certificate } from 'node:crypto';

export type DigestAlgorithm = 'SHA-256' | 'SHA-384' | 'SHA-512';

/** A key that seals documents, and its certificate. The key may be in a file or in a key management service. */
export interface Signer {
  certificate: X509Certificate;
  /** The known issuer certificates, starting with the issuer of `certificate`. */
  chain: X509Certificate[];
  keyType: 'RSA' | 'EC';
  /** The digest algorithm of all signatures by this key. */
  digestAlgorithm: DigestAlgorithm;
  /**
   * Signs the digest of `data`: RSASSA-PKCS1-v1_5, or ECDSA in DER.
   *
   * @throws a `SigningKeyError` when the key cannot be used.
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
}
