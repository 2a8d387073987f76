import { sequence } from '../signatures/encode-der.ts';
import { encodeSeal } from '../signatures/encode-seal.ts';
import type { SignedData } from './signed-data.ts';
import { timeStampAttribute } from './time-stamp.ts';

/**
 * Whether a signature has exactly the bytes that sealing writes. A CMS has parts that are not signed, such as its version,
 * and readers accept several forms of lengths and tags. So the structure is encoded again and must be equal. The contents
 * of a time-stamp are compared as they are, because its authority wrote them.
 */
export function isCanonicalSeal(signed: SignedData): boolean {
  const { signer, algorithms, unsignedAttributes } = signed;
  if (signer === null || !isPlainAlgorithm(algorithms.digest) || !isPlainAlgorithm(algorithms.signature)) return false;
  const timeStamp = unsignedAttributes.get(timeStampAttribute)?.raw ?? null;
  if (unsignedAttributes.size !== (timeStamp === null ? 0 : 1)) return false;
  return encodeSeal({ ...signed, signer, timeStamp }).equals(signed.raw);
}

/** Whether an algorithm is its object identifier alone or with NULL parameters. Both forms are in use. */
function isPlainAlgorithm(raw: Buffer): boolean {
  const oid = raw.subarray(2, 4 + (raw[3] ?? 0));
  return [sequence(oid), sequence(oid, Buffer.of(0x05, 0x00))].some((written) => written.equals(raw));
}
