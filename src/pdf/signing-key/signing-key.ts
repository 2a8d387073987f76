import type { DigestAlgorithm } from '../signatures/signer.ts';

/** A private key that isn't a file of ours: in a hardware module, or at a cloud provider. */
export interface SigningKey {
  /**
   * Returns the signature over a digest: RSASSA-PKCS1-v1_5, or ECDSA in DER.
   *
   * @throws a `SigningKeyError` when the key can't be used. It may work the next time.
   */
  sign(request: SignatureRequest): Promise<Buffer>;
}

export interface SignatureRequest {
  digest: Buffer;
  digestAlgorithm: DigestAlgorithm;
  /** Of the key that the certificate is for. */
  keyType: 'RSA' | 'EC';
}

/** Why a key couldn't sign, as the end of a sentence: "the signing key cannot be used: …". */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/** Longer than any provider takes, and much shorter than a seal may take. */
export const signTimeoutMs = 12_000;

/** For an access token, when the provider wants one. */
export const tokenTimeoutMs = 6_000;
