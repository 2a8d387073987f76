import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { BitString, Integer, OctetString, Utf8String } from 'asn1js';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  GeneralName,
  GeneralNames,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time,
} from 'pkijs';

/** A certificate authority. It becomes trusted through NODE_EXTRA_CA_CERTS or `setDefaultCACertificates`. */
export interface HttpsAuthority {
  caPem: string;
  /** Its own key and certificate, for a server with a self-signed certificate. */
  own: { key: string; cert: string };
  /** Returns key and certificate (PEM) for these names and addresses, as options for `https.createServer`. */
  issue(names: string[], validity?: Validity): { key: string; cert: string };
}

export interface Validity {
  notBefore: Date;
  notAfter: Date;
}

const ecdsaWithSha256 = new AlgorithmIdentifier({ algorithmId: '1.2.840.10045.4.3.2' });
const dayMs = 86_400_000;

export function createAuthority(name = 'Test authority'): HttpsAuthority {
  const authority = newKeys();
  const issue = (subject: string, keys: Keys, extensions: Extension[], validity: Validity = aroundNow()) =>
    certify({ issuer: name, issuerKey: authority.privateKey, subject, keys, extensions, validity });
  const isAuthority = new BasicConstraints({ cA: true }).toSchema();
  const caPem = issue(name, authority, [extension('2.5.29.19', isAuthority.toBER(), true)]);

  return {
    caPem,
    own: { key: pem(authority), cert: caPem },
    issue(names, validity) {
      const keys = newKeys();
      const cert = issue(
        names[0] ?? '',
        keys,
        [extension('2.5.29.17', alternativeNames(names).toSchema().toBER())],
        validity,
      );
      return { key: pem(keys), cert };
    },
  };
}

interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

function newKeys(): Keys {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

function pem({ privateKey }: Keys): string {
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

function aroundNow(): Validity {
  return { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
}

interface CertificateParts {
  issuer: string;
  issuerKey: KeyObject;
  subject: string;
  keys: Keys;
  extensions: Extension[];
  validity: Validity;
}

/** PEM. */
function certify({ issuer, issuerKey, subject, keys, extensions, validity }: CertificateParts): string {
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: Buffer.concat([Buffer.of(0x40), randomBytes(15)]) }),
    signature: ecdsaWithSha256,
    issuer: named(issuer),
    notBefore: new Time({ value: validity.notBefore }),
    notAfter: new Time({ value: validity.notAfter }),
    subject: named(subject),
    subjectPublicKeyInfo: PublicKeyInfo.fromBER(keys.publicKey.export({ format: 'der', type: 'spki' })),
    extensions,
    signatureAlgorithm: ecdsaWithSha256,
  });
  const signature = sign('sha256', Buffer.from(certificate.encodeTBS().toBER()), issuerKey);
  certificate.signatureValue = new BitString({ valueHex: signature });
  return new X509Certificate(Buffer.from(certificate.toSchema(true).toBER())).toString();
}

function named(commonName: string): RelativeDistinguishedNames {
  const value = new Utf8String({ value: commonName });
  return new RelativeDistinguishedNames({ typesAndValues: [new AttributeTypeAndValue({ type: '2.5.4.3', value })] });
}

function alternativeNames(names: string[]): GeneralNames {
  return new GeneralNames({
    names: names.map((name) =>
      isIP(name) === 0
        ? new GeneralName({ type: 2, value: name })
        : new GeneralName({ type: 7, value: new OctetString({ valueHex: addressBytes(name) }) }),
    ),
  });
}

function addressBytes(address: string): Buffer {
  if (address === '::1') return Buffer.concat([Buffer.alloc(15), Buffer.of(1)]);
  return Buffer.from(address.split('.').map(Number));
}

function extension(extnID: string, extnValue: ArrayBuffer, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue });
}
