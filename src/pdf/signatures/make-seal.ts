import { createHash } from 'node:crypto';
import { issuerAndSerial } from './certificate-names.ts';
import { encode, sequence, setOf } from './encode-der.ts';
import { encodeSeal } from './encode-seal.ts';
import type { DigestAlgorithm, Signer } from './signer.ts';

/** Requests a time-stamp (RFC 3161) over a digest. */
export type RequestTimeStamp = (digest: Uint8Array, algorithm: DigestAlgorithm) => Promise<Uint8Array>;

/**
 * Makes the CMS of a seal over `digest`, with the attributes that a PAdES baseline signature has (ETSI EN 319 142-1, 6.3).
 * It has no signing-time attribute, which the standard forbids: the time is in `/M` of the signature dictionary. A CAdES
 * baseline signature, which is not in a PDF, must have one (ETSI EN 319 122-1, 6.3): give its time as `signingTime`.
 */
export async function makeSeal(
  digest: Uint8Array,
  signer: Signer,
  requestTimeStamp: RequestTimeStamp | null,
  signingTime: Date | null = null,
): Promise<Buffer> {
  const { certificate, chain, digestAlgorithm } = signer;
  const algorithms = algorithmsOf(signer);
  const signedAttributes = setOf(
    attribute(oids.contentType, oid(oids.data)),
    attribute(oids.messageDigest, encode(0x04, digest)),
    attribute(oids.algorithmProtection, algorithmProtection(algorithms)),
    attribute(oids.signingCertificateV2, signingCertificate(signer)),
    ...(signingTime === null ? [] : [attribute(oids.signingTime, encodedTime(signingTime))]),
  );
  const signature = await signer.sign(signedAttributes);
  const timeStamp = requestTimeStamp && (await requestTimeStamp(hashed(signature, digestAlgorithm), digestAlgorithm));
  const certificates = [certificate, ...chain];
  return encodeSeal({ signer: certificate, certificates, algorithms, signedAttributes, signature, timeStamp });
}

function hashed(data: Uint8Array, algorithm: DigestAlgorithm): Buffer {
  return createHash(algorithm.replace('-', '')).update(data).digest();
}

interface Algorithms {
  digest: Buffer;
  signature: Buffer;
}

/** Returns the algorithm identifiers. The parameters are NULL for RSA and absent otherwise (RFC 5754, RFC 4055). */
function algorithmsOf({ keyType, digestAlgorithm }: Signer): Algorithms {
  const signature = signatureOids[keyType][digestAlgorithm];
  return {
    digest: sequence(oid(digestOids[digestAlgorithm])),
    signature: keyType === 'RSA' ? sequence(oid(signature), Buffer.of(0x05, 0x00)) : sequence(oid(signature)),
  };
}

/** Binds the algorithms to the signature (RFC 6211). The signature algorithm is implicitly tagged. */
function algorithmProtection({ digest, signature }: Algorithms): Buffer {
  return sequence(digest, Buffer.concat([Buffer.of(0xa1), signature.subarray(1)]));
}

/** Names the certificate by its digest, issuer and serial number (RFC 5035, ESSCertIDv2). SHA-256 is the default. */
function signingCertificate({ certificate, digestAlgorithm }: Signer): Buffer {
  const [issuer, serial] = issuerAndSerial(certificate);
  const issuerSerial = sequence(sequence(encode(0xa4, issuer)), serial);
  const algorithm = digestAlgorithm === 'SHA-256' ? [] : [sequence(oid(digestOids[digestAlgorithm]))];
  const hash = encode(0x04, hashed(certificate.raw, digestAlgorithm));
  return sequence(sequence(sequence(...algorithm, hash, issuerSerial)));
}

/** Encodes a time as UTCTime up to 2049, and as GeneralizedTime later (RFC 5652, 11.3). */
function encodedTime(time: Date): Buffer {
  const digits = `${time.toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')}Z`;
  const isShort = time.getUTCFullYear() < 2050;
  return isShort ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits));
}

function attribute(type: string, value: Buffer): Buffer {
  return sequence(oid(type), encode(0x31, value));
}

/** Encodes an object identifier from the hexadecimal digits of its content. */
function oid(content: string): Buffer {
  return encode(0x06, Buffer.from(content, 'hex'));
}

/** Contents of object identifiers, in hexadecimal digits. */
const oids = {
  data: '2a864886f70d010701', // 1.2.840.113549.1.7.1
  contentType: '2a864886f70d010903', // 1.2.840.113549.1.9.3
  messageDigest: '2a864886f70d010904', // 1.2.840.113549.1.9.4
  signingTime: '2a864886f70d010905', // 1.2.840.113549.1.9.5
  algorithmProtection: '2a864886f70d010934', // 1.2.840.113549.1.9.52
  signingCertificateV2: '2a864886f70d010910022f', // 1.2.840.113549.1.9.16.2.47
};

const digestOids: Record<DigestAlgorithm, string> = {
  'SHA-256': '608648016503040201', // 2.16.840.1.101.3.4.2.1
  'SHA-384': '608648016503040202',
  'SHA-512': '608648016503040203',
};

const signatureOids: Record<Signer['keyType'], Record<DigestAlgorithm, string>> = {
  // sha256WithRSAEncryption, 1.2.840.113549.1.1.11, and its siblings
  RSA: { 'SHA-256': '2a864886f70d01010b', 'SHA-384': '2a864886f70d01010c', 'SHA-512': '2a864886f70d01010d' },
  // ecdsa-with-SHA256, 1.2.840.10045.4.3.2, and its siblings
  EC: { 'SHA-256': '2a8648ce3d040302', 'SHA-384': '2a8648ce3d040303', 'SHA-512': '2a8648ce3d040304' },
};
