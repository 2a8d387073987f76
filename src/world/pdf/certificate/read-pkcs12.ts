import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { asn1, pkcs12 } from 'node-forge';
import { CertificateError } from './certificate-error.ts';
import { forgeForOneFile, TooManyRoundsError } from './forge.ts';

export interface Pkcs12 {
  keys: KeyObject[];
  certificates: X509Certificate[];
}

/** A key with a long chain takes ten kilobytes. */
const fileBytesMax = 2 ** 20;

/**
 * Every private key and certificate of a PKCS#12 file (RFC 7292), in file order. Throws a `CertificateError` that says
 * whether the file or the password is wrong. What forge does not decrypt is not supported: 128-bit RC2, two-key 3DES,
 * a PBMAC1 (RFC 9579) and bags of other kinds than keys and X.509 certificates.
 */
export function readPkcs12(bytes: Buffer, password: string): Pkcs12 {
  if (bytes.length > fileBytesMax) throw new CertificateError('it is too large for a PKCS#12 file (over 1 MiB)');
  const forge = forgeForOneFile();
  const file = parse(() => forge.asn1.fromDer(bytes.toString('latin1')));
  const hasMac = Array.isArray(file.value) && file.value.length > 2;
  try {
    const bags = open(forge.pkcs12, file, password).safeContents.flatMap(({ safeBags }) => safeBags);
    const der = (bag: pkcs12.Bag) => Buffer.from(forge.asn1.toDer(bag.asn1).getBytes(), 'latin1');
    const isCertificate = (bag: pkcs12.Bag) => bag.type === forge.pki.oids.certBag;
    return {
      keys: bags.filter((bag) => !isCertificate(bag)).map((bag) => privateKey(der(bag))),
      certificates: bags.filter(isCertificate).map((bag) => new X509Certificate(der(bag))),
    };
  } catch (error) {
    throw complaint(error as ForgeError, hasMac);
  }
}

function parse(read: () => asn1.Asn1): asn1.Asn1 {
  try {
    return read();
  } catch {
    throw new CertificateError(notPkcs12);
  }
}

/** Exporters disagree whether "no password" is an empty string or nothing at all. */
function open(forge: typeof pkcs12, file: asn1.Asn1, password: string): pkcs12.Pkcs12Pfx {
  try {
    return forge.pkcs12FromAsn1(file, password);
  } catch (error) {
    if (password !== '' || !wrongPassword.test((error as Error).message)) throw error;
    return forge.pkcs12FromAsn1(file);
  }
}

function privateKey(pkcs8: Buffer): KeyObject {
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

interface ForgeError extends Error {
  oid?: string;
}

const notPkcs12 = 'it is not a PKCS#12 file (.p12, .pfx)';
const wrongPassword = /MAC could not be verified/;

/** Forge tells its errors apart by their words only. */
function complaint(error: ForgeError, hasMac: boolean): CertificateError {
  const { message, oid } = error;
  if (/PKCS#12 PFX/.test(message)) return new CertificateError(notPkcs12);
  if (wrongPassword.test(message)) return new CertificateError('the password is wrong');
  if (error instanceof TooManyRoundsError || /unsupported/i.test(message))
    return new CertificateError(`it uses an algorithm that is not supported (${oid ?? message})`);
  // Without a MAC a wrong password shows only as padding or structure that makes no sense.
  return new CertificateError(hasMac ? 'the file is damaged' : 'the password is wrong, or the file is damaged');
}
