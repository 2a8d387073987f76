import type { X509Certificate } from 'node:crypto';
import { issuerAndSerial } from './certificate-names.ts';
import { encode, sequence } from './encode-der.ts';

/** The parts of a CMS SignedData (RFC 5652) with one signer over external content. Encoded as DER, except where noted. */
export interface SealParts {
  signer: X509Certificate;
  certificates: readonly X509Certificate[];
  /** The algorithm identifiers. */
  algorithms: { digest: Uint8Array; signature: Uint8Array };
  /** The signed attributes, encoded as a SET. */
  signedAttributes: Uint8Array;
  /** The signature value, not encoded. */
  signature: Uint8Array;
  /** A time-stamp over the signature value (RFC 3161). */
  timeStamp: Uint8Array | null;
}

/** Encodes a seal. Certificates keep their own bytes, because their fingerprints depend on them. */
export function encodeSeal({ signer, certificates, algorithms, signedAttributes, ...parts }: SealParts): Buffer {
  const signerInfo = sequence(
    version1,
    sequence(...issuerAndSerial(signer)),
    algorithms.digest,
    Buffer.concat([Buffer.of(0xa0), signedAttributes.subarray(1)]),
    algorithms.signature,
    encode(0x04, parts.signature),
    ...(parts.timeStamp === null ? [] : [encode(0xa1, sequence(oids.timeStamp, encode(0x31, parts.timeStamp)))]),
  );
  const signedData = sequence(
    version1,
    encode(0x31, algorithms.digest),
    sequence(oids.data),
    encode(0xa0, ...certificates.map(({ raw }) => raw)),
    encode(0x31, signerInfo),
  );
  return sequence(oids.signedData, encode(0xa0, signedData));
}

const version1 = Buffer.of(0x02, 0x01, 0x01);

const oids = {
  data: Buffer.from('06092a864886f70d010701', 'hex'),
  signedData: Buffer.from('06092a864886f70d010702', 'hex'),
  timeStamp: Buffer.from('060b2a864886f70d010910020e', 'hex'),
};
