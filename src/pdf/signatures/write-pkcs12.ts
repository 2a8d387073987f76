import { X509Certificate } from 'node:crypto';
import { BmpString, OctetString } from 'asn1js';
import {
  Attribute,
  AuthenticatedSafe,
  CertBag,
  Certificate,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  SafeBag,
  SafeContents,
} from 'pkijs';
import type { SelfSigned } from './self-signed.ts';

/** PBKDF2 iterations, the default of OpenSSL 3. The password is random, so more are not needed. */
const iterations = 2048;

/** Privacy modes of pkijs. */
const privacy = { none: 0, password: 1 };

/** Writes a PKCS#12 file (RFC 7292) with one key and one certificate, encrypted with AES-256 and a SHA-256 MAC. */
export async function writePkcs12(identity: SelfSigned, password: string): Promise<Buffer> {
  const secret = new Uint8Array(Buffer.from(password)).buffer;
  const encryption = {
    password: secret,
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256 },
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: iterations,
  };
  const key = PrivateKeyInfo.fromBER(identity.key.export({ format: 'der', type: 'pkcs8' }));
  const keyBag = new PKCS8ShroudedKeyBag({ parsedValue: key });
  await keyBag.makeInternalValues(encryption);
  // pkijs splits encrypted data into chunks, which few readers accept for a key.
  keyBag.encryptedData = new OctetString({ valueHex: keyBag.encryptedData.getValue() });
  const certificateBag = new CertBag({ parsedValue: Certificate.fromBER(identity.certificate) });

  const bagAttributes = attributes(identity.certificate);
  const contents = (bagId: string, bagValue: CertBag | PKCS8ShroudedKeyBag) =>
    new SafeContents({ safeBags: [new SafeBag({ bagId, bagValue, bagAttributes })] });
  const safe = new AuthenticatedSafe({
    parsedValue: {
      safeContents: [
        { privacyMode: privacy.password, value: contents('1.2.840.113549.1.12.10.1.3', certificateBag) },
        { privacyMode: privacy.none, value: contents('1.2.840.113549.1.12.10.1.2', keyBag) },
      ],
    },
  });
  await safe.makeInternalValues({ safeContents: [encryption, {}] });
  const file = new PFX({ parsedValue: { integrityMode: 0, authenticatedSafe: safe } });
  await file.makeInternalValues({
    password: secret,
    iterations,
    pbkdf2HashAlgorithm: 'SHA-256',
    hmacHashAlgorithm: 'SHA-256',
  });
  return Buffer.from(file.toSchema().toBER());
}

/** Returns the display name, and the id that links the key to its certificate. */
function attributes(certificate: Buffer): Attribute[] {
  const fingerprint = Buffer.from(new X509Certificate(certificate).fingerprint.replaceAll(':', ''), 'hex');
  return [
    new Attribute({ type: '1.2.840.113549.1.9.21', values: [new OctetString({ valueHex: fingerprint })] }),
    new Attribute({ type: '1.2.840.113549.1.9.20', values: [new BmpString({ value: 'Countersign' })] }),
  ];
}
