import type { KeyObject } from 'node:crypto';
import { child, readDer } from './der.ts';
import { encodeEcdsaSignature } from './ecdsa-signature.ts';

/**
 * Orders n of the curves (SEC 2, version 2). For every ECDSA signature (r, s), anyone can compute a second valid signature
 * (r, n - s). Seals use the one with the lower s, so a signature with the higher s was changed.
 */
const orders: Record<string, bigint> = {
  prime256v1: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  secp384r1: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  secp521r1:
    0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
};

/** Returns a DER signature with the lower s. Returns signatures of other key types unchanged. */
export function withLowS(signature: Buffer, key: KeyObject): Buffer {
  const order = orderOf(key);
  if (order === null) return signature;
  const [r, s] = readPair(signature);
  const low = s * 2n > order ? order - s : s;
  return encodeEcdsaSignature(r, low);
}

/** Whether a signature is encoded as `withLowS` encodes it. Returns false for bytes that are not a signature. */
export function hasLowS(signature: Buffer, key: KeyObject): boolean {
  try {
    return withLowS(signature, key).equals(signature);
  } catch {
    return false;
  }
}

function orderOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): bigint | null {
  return asymmetricKeyType === 'ec' ? (orders[asymmetricKeyDetails?.namedCurve ?? ''] ?? null) : null;
}

function readPair(signature: Buffer): [r: bigint, s: bigint] {
  const pair = readDer(signature);
  return [child(pair, 0), child(pair, 1)].map(({ content }) => BigInt(`0x${content.toString('hex')}`)) as [
    bigint,
    bigint,
  ];
}
