import 'reflect-metadata'; // must be imported before @peculiar/x509
import { KeyObject } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface SelfSigned {
  key: KeyObject;
  /** The certificate, DER. */
  certificate: Buffer;
}

export interface SelfSignedOptions {
  commonName: string;
  notBefore: Date;
  notAfter: Date;
  /** 16 random bytes. */
  serial: Buffer;
}

/**
 * Creates a self-signed certificate that may only sign documents (RFC 5280). Its key is on P-256: generating it takes a
 * millisecond, where RSA takes seconds, and all PDF readers of the last decade support it.
 */
export async function createSelfSigned(options: SelfSignedOptions): Promise<SelfSigned> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: positive(options.serial).toString('hex'),
    name: [{ CN: [options.commonName] }],
    notBefore: options.notBefore,
    notAfter: options.notAfter,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    keys,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { key: KeyObject.from(keys.privateKey), certificate: Buffer.from(certificate.rawData) };
}

/** Makes a serial number positive and its first byte non-zero. */
function positive(serial: Buffer): Buffer {
  const bytes = Buffer.from(serial);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
