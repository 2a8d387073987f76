import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import {
  type AlgorithmIdentifier,
  ContentInfo,
  IssuerAndSerialNumber,
  SignedData as PkiSignedData,
  type SignedAndUnsignedAttributes,
  type SignerInfo,
} from 'pkijs';
import { encodingOf, issuerAndSerial } from '../signatures/certificate-names.ts';
import { child, type DerNode, octets, readDer, readOid } from '../signatures/der.ts';

/** A CMS SignedData (RFC 5652) with one signer. Seals and time-stamps are such structures. */
export interface SignedData {
  /** The whole structure, as encoded in the file. */
  raw: Buffer;
  contentType: string;
  /** Embedded content. Null when it signs external content, as a seal does. */
  content: Buffer | null;
  digest: Digest;
  /** The certificate that both the signer's id and the signed `signing-certificate` attribute name, or null. */
  signer: X509Certificate | null;
  /** The certificate that the signer's id names, also if no signed attribute does. Another one with the same key could be in its place. */
  namedSigner: X509Certificate | null;
  /** All embedded certificates, including the signer's. */
  certificates: X509Certificate[];
  messageDigest: Buffer;
  /** Signing time as stated by the signer. */
  signingTime: Date | null;
  signature: Buffer;
  signatureAlgorithm: string;
  /** Encoded identifiers of the digest and signature algorithms. */
  algorithms: { digest: Buffer; signature: Buffer };
  /** The signed bytes: the signed attributes, encoded as a SET. */
  signedAttributes: Buffer;
  /** By object identifier. */
  unsignedAttributes: Map<string, DerNode>;
}

export type Digest = 'sha256' | 'sha384' | 'sha512';

const digests: Record<string, Digest> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Key type and required digest of each signature algorithm. Null means the digest of the signer. */
const signatureAlgorithms: Record<string, { key: 'rsa' | 'ec'; digest: Digest | null; isPss?: true }> = {
  '1.2.840.113549.1.1.1': { key: 'rsa', digest: null },
  '1.2.840.113549.1.1.10': { key: 'rsa', digest: null, isPss: true },
  '1.2.840.113549.1.1.11': { key: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.3.2': { key: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', digest: 'sha512' },
};

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
};

const tags = { octets: 0x04, sequence: 0x30, first: 0xa0 };
/** A chain has three or four certificates. Each is parsed before anything is known to be signed. */
const certificatesMax = 20;

/**
 * Reads the structure at the start of `bytes`. pkijs parses it. Certificates and signed attributes are returned with the
 * bytes that the file has, because signatures and fingerprints depend on them. Throws for other structures and for kinds
 * that are not accepted.
 */
export function readSignedData(bytes: Buffer): SignedData {
  const { raw } = readDer(bytes);
  const contentInfo = ContentInfo.fromBER(raw);
  assertShape(contentInfo.contentType === oids.signedData, 'no signed data');
  const signedData = new PkiSignedData({ schema: contentInfo.content });
  const [info, ...others] = signedData.signerInfos;
  assertShape(others.length === 0, 'not one signer');
  if (info?.signedAttrs === undefined) throw new Error('no signed attributes');
  const { eContentType, eContent } = signedData.encapContentInfo;
  const signed = readAttributes(info.signedAttrs);
  const digest = digests[info.digestAlgorithm.algorithmId];
  if (digest === undefined) throw new Error('its digest is not accepted');
  const certificates = readCertificates(raw);
  const named = certificates.filter((candidate) => isNamed(candidate, info));
  assertShape(readOid(only(signed, oids.contentType)) === eContentType, 'it signs another type of content');

  return {
    raw,
    contentType: eContentType,
    content: eContent ? Buffer.from(eContent.getValue()) : null,
    digest,
    signer: named.find((candidate) => isBound(candidate, signed)) ?? null,
    namedSigner: named[0] ?? null,
    certificates,
    messageDigest: octets(only(signed, oids.messageDigest)),
    signingTime: signed.has(oids.signingTime) ? readTime(only(signed, oids.signingTime)) : null,
    signature: Buffer.from(info.signature.getValue()),
    signatureAlgorithm: info.signatureAlgorithm.algorithmId,
    algorithms: { digest: encoded(info.digestAlgorithm), signature: encoded(info.signatureAlgorithm) },
    signedAttributes: Buffer.from(info.signedAttrs.encodedValue),
    unsignedAttributes: info.unsignedAttrs ? readAttributes(info.unsignedAttrs) : new Map(),
  };
}

function encoded(algorithm: AlgorithmIdentifier): Buffer {
  return Buffer.from(algorithm.toSchema().toBER());
}

/** Whether the signer's key made the signature over the signed attributes. The caller checks the attributes. */
export function signatureHolds({ signer, digest, signature, signedAttributes, ...signed }: SignedData): boolean {
  const algorithm = signatureAlgorithms[signed.signatureAlgorithm];
  if (signer === null || algorithm === undefined) return false;
  const { publicKey } = signer;
  if (publicKey.asymmetricKeyType !== algorithm.key || (algorithm.digest ?? digest) !== digest) return false;
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  return verify(digest, signedAttributes, { key: publicKey, ...(algorithm.isPss && pss) }, signature);
}

/** Whether every certificate is the signer's or issued another one, so that none was added later. */
export function certificatesAreLinked({ signer, certificates }: SignedData): boolean {
  const linked = new Set(signer === null ? [] : [signer]);
  for (const certificate of linked) {
    for (const issuer of certificates) {
      if (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)) linked.add(issuer);
    }
  }
  return linked.size === certificates.length;
}

/** Reads a UTCTime or GeneralizedTime. */
function readTime({ content }: DerNode): Date {
  const text = content.toString('latin1');
  const match = /^(\d{2}|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text);
  if (match === null) throw new Error('a time is not readable');
  const [, year = '', month, day, hour, minute, second, fraction = ''] = match;
  const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19';
  const time = new Date(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  assertShape(!Number.isNaN(time.getTime()), 'a time is impossible');
  return time;
}

/** Returns the certificates with the bytes of the file. pkijs would encode them again. */
function readCertificates(raw: Buffer): X509Certificate[] {
  const node = child(child(child(readDer(raw), 1), 0), 3);
  if (node.tag !== tags.first) return [];
  assertShape(node.children.length <= certificatesMax, 'too many certificates');
  return node.children.map((certificate) => new X509Certificate(certificate.raw));
}

function readAttributes({ attributes }: SignedAndUnsignedAttributes): Map<string, DerNode> {
  const read = new Map<string, DerNode>();
  for (const { type, values } of attributes) {
    if (values.length !== 1 || read.has(type)) throw new Error('an attribute with several values');
    read.set(type, readDer(Buffer.from(values[0].valueBeforeDecodeView)));
  }
  return read;
}

function only(attributes: Map<string, DerNode>, oid: string): DerNode {
  const value = attributes.get(oid);
  if (value === undefined) throw new Error(`the attribute ${oid} is missing`);
  return value;
}

/** Whether the signer's id names the certificate, by issuer and serial number. */
function isNamed(certificate: X509Certificate, { sid }: SignerInfo): boolean {
  if (!(sid instanceof IssuerAndSerialNumber)) return false;
  const [issuer, serial] = issuerAndSerial(certificate);
  return issuer.equals(encodingOf(sid.issuer)) && serial.equals(encodingOf(sid.serialNumber));
}

/**
 * Whether the signed attributes have the hash of the certificate (RFC 5035). Without it, another certificate with the same
 * key could be used.
 */
function isBound(certificate: X509Certificate, signed: Map<string, DerNode>): boolean {
  const v2 = signed.get(oids.signingCertificateV2);
  const attribute = v2 ?? signed.get(oids.signingCertificate);
  if (attribute === undefined) return false;
  const first = child(child(attribute, 0), 0);
  const [algorithm] = first.children.filter(({ tag }) => tag === tags.sequence);
  const hash = first.children.find(({ tag }) => tag === tags.octets);
  // The algorithm is left out for SHA-256; the sequence that may follow the hash is the issuer and serial number.
  const isNamedFirst = first.children[0]?.tag === tags.sequence;
  const named =
    v2 === undefined ? 'sha1' : isNamedFirst && algorithm ? digests[readOid(child(algorithm, 0))] : 'sha256';
  if (hash === undefined || named === undefined) return false;
  return createHash(named).update(certificate.raw).digest().equals(hash.content);
}

function assertShape(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
