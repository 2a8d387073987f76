import { createCipheriv, createHmac, pbkdf2Sync, X509Certificate } from 'node:crypto';
import type { Random } from '../../random.ts';
import { der } from './der.ts';
import { pkcs12Key, utf16Password } from './password-keys.ts';
import type { SelfSigned } from './self-signed.ts';

/** As OpenSSL 3 writes them: AES-256 under PBKDF2, a SHA-256 MAC. The password is random, so few rounds are enough. */
const iterations = 2048;

/** A PKCS#12 file (RFC 7292) with one key, one certificate, and a password over both. */
export function writePkcs12(identity: SelfSigned, password: string, random: Random): Buffer {
  const localKeyId = Buffer.from(new X509Certificate(identity.certificate).fingerprint.replaceAll(':', ''), 'hex');
  const attributes = der.set(
    der.sequence(der.oid('1.2.840.113549.1.9.21'), der.set(der.octetString(localKeyId))),
    der.sequence(der.oid('1.2.840.113549.1.9.20'), der.set(der.bmpString('Countersign'))),
  );
  const certificateBag = der.sequence(
    der.oid('1.2.840.113549.1.12.10.1.3'),
    der.explicit(
      0,
      der.sequence(der.oid('1.2.840.113549.1.9.22.1'), der.explicit(0, der.octetString(identity.certificate))),
    ),
    attributes,
  );
  const key = encrypt(identity.key.export({ format: 'der', type: 'pkcs8' }), password, random);
  const keyBag = der.sequence(
    der.oid('1.2.840.113549.1.12.10.1.2'),
    der.explicit(0, der.sequence(key.algorithm, der.octetString(key.ciphertext))),
    attributes,
  );
  const contents = der.sequence(
    encryptedPart(der.sequence(certificateBag), password, random),
    dataPart(der.sequence(keyBag)),
  );
  return der.sequence(der.integer(3), dataPart(contents), mac(contents, password, random.bytes(16)));
}

function dataPart(bytes: Buffer): Buffer {
  return der.sequence(der.oid('1.2.840.113549.1.7.1'), der.explicit(0, der.octetString(bytes)));
}

function encryptedPart(bytes: Buffer, password: string, random: Random): Buffer {
  const { algorithm, ciphertext } = encrypt(bytes, password, random);
  const content = der.sequence(der.oid('1.2.840.113549.1.7.1'), algorithm, der.implicit(0, ciphertext));
  return der.sequence(der.oid('1.2.840.113549.1.7.6'), der.explicit(0, der.sequence(der.integer(0), content)));
}

function encrypt(bytes: Buffer, password: string, random: Random): { algorithm: Buffer; ciphertext: Buffer } {
  const salt = random.bytes(16);
  const iv = random.bytes(16);
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, iterations, 32, 'sha256'), iv);
  const hmacWithSha256 = der.sequence(der.oid('1.2.840.113549.2.9'), der.null());
  const algorithm = der.sequence(
    der.oid('1.2.840.113549.1.5.13'),
    der.sequence(
      der.sequence(
        der.oid('1.2.840.113549.1.5.12'),
        der.sequence(der.octetString(salt), der.integer(iterations), hmacWithSha256),
      ),
      der.sequence(der.oid('2.16.840.1.101.3.4.1.42'), der.octetString(iv)),
    ),
  );
  return { algorithm, ciphertext: Buffer.concat([cipher.update(bytes), cipher.final()]) };
}

function mac(contents: Buffer, password: string, salt: Buffer): Buffer {
  const key = pkcs12Key({
    hash: 'sha256',
    password: utf16Password(password),
    salt,
    iterations,
    purpose: 3,
    length: 32,
  });
  const sha256 = der.sequence(der.oid('2.16.840.1.101.3.4.2.1'), der.null());
  const digest = createHmac('sha256', key).update(contents).digest();
  return der.sequence(der.sequence(sha256, der.octetString(digest)), der.octetString(salt), der.integer(iterations));
}
