import type { KeyObject, X509Certificate } from 'node:crypto';
import type { BitString } from 'asn1js';
import { Certificate } from 'pkijs';
import { CertificateError } from './certificate-error.ts';
import type { Signer } from './signer.ts';

/** Public facts about the certificate in use, for operators. */
export interface CertificateSummary {
  subject: string;
  issuer: string;
  serialNumber: string;
  notBefore: string;
  notAfter: string;
  /** `RSA 3072` or `EC P-256`. */
  key: string;
  selfSigned: boolean;
  chainLength: number;
  fingerprintSha256: string;
}

const rsaBitsMin = 2048;
const curveNames: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** Throws when a certificate is not valid at `now`. Call it before every seal: a running service may outlive its certificate. */
export function assertValidAt({ validFromDate, validToDate }: X509Certificate, now: Date): void {
  if (now < validFromDate) throw new CertificateError(`it is not valid before ${validFromDate.toISOString()}`);
  if (now > validToDate) throw new CertificateError(`it expired on ${validToDate.toISOString()}`);
}

export function summarize({ certificate, chain }: Signer): CertificateSummary {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serialNumber: certificate.serialNumber,
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
    key: describeKey(certificate.publicKey),
    selfSigned: certificate.subject === certificate.issuer,
    chainLength: chain.length,
    fingerprintSha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

/** @throws a `CertificateError` for a key that PDF readers don't check, or that is too short. */
export function usableKeyType(key: KeyObject): 'RSA' | 'EC' {
  const details = key.asymmetricKeyDetails;
  if (key.asymmetricKeyType === 'rsa') {
    const bits = details?.modulusLength ?? 0;
    if (bits >= rsaBitsMin) return 'RSA';
    throw new CertificateError(`its RSA key of ${bits} bits is too short: at least ${rsaBitsMin} are needed`);
  }
  if (key.asymmetricKeyType === 'ec' && details?.namedCurve !== undefined && details.namedCurve in curveNames)
    return 'EC';
  const name = details?.namedCurve ?? key.asymmetricKeyType;
  throw new CertificateError(`its key of type ${name} cannot sign PDFs: use RSA, or EC on P-256, P-384 or P-521`);
}

/** Returns the issuers of `leaf` among `certificates`, from its direct issuer upwards. */
export function chainOf(leaf: X509Certificate, certificates: X509Certificate[]): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let rest = certificates.filter((certificate) => certificate.fingerprint256 !== leaf.fingerprint256);
  for (let last = leaf; ; ) {
    const issuer = rest.find((candidate) => last.checkIssued(candidate));
    if (issuer === undefined) return chain;
    chain.push(issuer);
    rest = rest.filter((candidate) => candidate !== issuer);
    last = issuer;
  }
}

/** Throws when the key usage of a certificate (RFC 5280, 4.2.1.3) does not allow signatures. PDF readers check this too. */
export function assertMaySign(certificate: X509Certificate): void {
  const { extensions = [] } = Certificate.fromBER(certificate.raw);
  const keyUsage = extensions.find(({ extnID }) => extnID === '2.5.29.15')?.parsedValue;
  if (keyUsage === undefined) return;
  const bits = (keyUsage as BitString).valueBlock.valueHexView[0] ?? 0;
  const digitalSignatureOrNonRepudiation = 0xc0;
  if (!(bits & digitalSignatureOrNonRepudiation)) throw new CertificateError('its key usage does not allow signatures');
}

function describeKey(key: KeyObject): string {
  const details = key.asymmetricKeyDetails;
  return details?.modulusLength === undefined
    ? `EC ${curveNames[details?.namedCurve ?? ''] ?? details?.namedCurve}`
    : `RSA ${details.modulusLength}`;
}

function oneLine(name: string): string {
  return name.replaceAll('\n', ', ');
}
