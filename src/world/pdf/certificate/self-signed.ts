import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { der } from './der.ts';

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

const ecdsaWithSha256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));

/**
 * A certificate for signing documents and nothing else (RFC 5280). P-256 rather than RSA: made in a millisecond instead
 * of seconds, signs faster, and every PDF reader of the last decade checks it.
 */
export function createSelfSigned(options: SelfSignedOptions): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKeyInfo = publicKey.export({ format: 'der', type: 'spki' });
  const name = der.sequence(der.set(der.sequence(der.oid('2.5.4.3'), der.utf8String(options.commonName))));
  const toBeSigned = der.sequence(
    der.explicit(0, der.integer(2)),
    der.integer(positive(options.serial)),
    ecdsaWithSha256,
    name,
    der.sequence(der.time(options.notBefore), der.time(options.notAfter)),
    name,
    publicKeyInfo,
    der.explicit(3, extensions(publicKeyInfo)),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  return { key: privateKey, certificate: der.sequence(toBeSigned, ecdsaWithSha256, der.bitString(signature)) };
}

function extensions(publicKeyInfo: Buffer): Buffer {
  const keyIdentifier = createHash('sha256').update(publicKeyInfo).digest().subarray(0, 20);
  const critical = (oid: string, value: Buffer) => der.sequence(der.oid(oid), der.true(), der.octetString(value));
  const plain = (oid: string, value: Buffer) => der.sequence(der.oid(oid), der.octetString(value));
  return der.sequence(
    critical('2.5.29.19', der.sequence()), // basic constraints: not an authority
    critical('2.5.29.15', der.bitString(Buffer.from([0xc0]), 6)), // key usage: digitalSignature, nonRepudiation
    plain('2.5.29.14', der.octetString(keyIdentifier)),
    plain('2.5.29.35', der.sequence(der.implicit(0, keyIdentifier))),
  );
}

/** A serial number is positive and does not start with a zero byte. */
function positive(serial: Buffer): Buffer {
  const bytes = Buffer.from(serial);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
