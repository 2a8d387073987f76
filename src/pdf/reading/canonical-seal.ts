import { issuerAndSerial, type SignedData } from './signed-data.ts';
import { timeStampAttribute } from './time-stamp.ts';

/**
 * Whether a signature has exactly the bytes that sealing writes. A CMS has parts that are not signed, such as its version,
 * and readers accept several forms of lengths and tags. So the structure is encoded again and must be equal. The contents
 * of a time-stamp are compared as they are, because its authority wrote them.
 */
export function isCanonicalSeal(signed: SignedData): boolean {
  const { signer, algorithms, unsignedAttributes } = signed;
  if (signer === null || !isPlainAlgorithm(algorithms.digest) || !isPlainAlgorithm(algorithms.signature)) return false;
  const stamp = unsignedAttributes.get(timeStampAttribute);
  if (unsignedAttributes.size !== (stamp === undefined ? 0 : 1)) return false;

  const signedAttributes = Buffer.concat([Buffer.of(0xa0), signed.signedAttributes.subarray(1)]);
  const signerInfo = sequence(
    version1,
    sequence(...issuerAndSerial(signer)),
    algorithms.digest,
    signedAttributes,
    algorithms.signature,
    encode(0x04, signed.signature),
    ...(stamp === undefined ? [] : [encode(0xa1, sequence(oids.timeStamp, encode(0x31, stamp.raw)))]),
  );
  const signedData = sequence(
    version1,
    encode(0x31, algorithms.digest),
    sequence(oids.data),
    encode(0xa0, ...signed.certificates.map(({ raw }) => raw)),
    encode(0x31, signerInfo),
  );
  return sequence(oids.signedData, encode(0xa0, signedData)).equals(signed.raw);
}

const version1 = Buffer.of(0x02, 0x01, 0x01);

const oids = {
  data: Buffer.from('06092a864886f70d010701', 'hex'),
  signedData: Buffer.from('06092a864886f70d010702', 'hex'),
  timeStamp: Buffer.from('060b2a864886f70d010910020e', 'hex'),
};

/** Whether an algorithm is its object identifier alone or with NULL parameters. Both forms are in use. */
function isPlainAlgorithm(raw: Buffer): boolean {
  const oid = raw.subarray(2, 4 + (raw[3] ?? 0));
  return [sequence(oid), sequence(oid, Buffer.of(0x05, 0x00))].some((written) => written.equals(raw));
}

function sequence(...parts: Uint8Array[]): Buffer {
  return encode(0x30, ...parts);
}

/** Encodes a DER value: the tag, the length in as few bytes as possible (X.690, 10.1), the content. */
function encode(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, content]);
}
