import type { KeyObject, X509Certificate } from 'node:crypto';
import type { BitString } from 'asn1js';
import { Certificate } from 'pkijs';
import { CertificateError } from './certificate-error.ts';
import type { Signer } from './signer.ts';

/** What an operator wants to know of the certificate in use. Nothing in it is secret. */
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

/** Checked before every seal, not only at the start: a service that runs for years may outlive its certificate. */
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

/** The certificates above `leaf` among others, its issuer first. */
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

/** A certificate that states its key usage (RFC 5280, 4.2.1.3) without a signing bit makes every reader complain. */
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
