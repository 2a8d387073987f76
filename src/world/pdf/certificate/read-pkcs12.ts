import { createHmac, createPrivateKey, type KeyObject, timingSafeEqual, X509Certificate } from 'node:crypto';
import { CertificateError } from './certificate-error.ts';
import { child, type DerNode, octets, readDer, readInteger, readOid } from './der.ts';
import {
  decryptWithPassword,
  hashOf,
  pbkdf2Key,
  pkcs12Key,
  readIterations,
  UnreadAlgorithmError,
  utf16Password,
} from './password-keys.ts';

export interface Pkcs12 {
  keys: KeyObject[];
  certificates: X509Certificate[];
}

const data = '1.2.840.113549.1.7.1';
const encryptedData = '1.2.840.113549.1.7.6';
const bag = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  nested: '1.2.840.113549.1.12.10.1.6',
};

/**
 * Every private key and certificate of a PKCS#12 file (RFC 7292), in file order. Throws a `CertificateError` that says
 * whether the file or the password is wrong.
 */
export function readPkcs12(bytes: Buffer, password: string): Pkcs12 {
  const { contents, mac } = openFile(bytes);
  if (mac !== null && !macMatches(contents, mac, password)) throw new CertificateError('the password is wrong');
  const found: Pkcs12 = { keys: [], certificates: [] };
  try {
    for (const part of readDer(contents).children) collect(readDer(contentOf(part, password)), password, found);
  } catch (error) {
    if (error instanceof UnreadAlgorithmError) throw unread(error);
    // Without a MAC a wrong password shows only as padding or structure that makes no sense.
    throw new CertificateError(mac === null ? 'the password is wrong, or the file is damaged' : 'the file is damaged');
  }
  return found;
}

function openFile(bytes: Buffer): { contents: Buffer; mac: DerNode | null } {
  try {
    const file = readDer(bytes);
    const authenticatedSafe = child(file, 1);
    if (readInteger(child(file, 0)) !== 3 || readOid(child(authenticatedSafe, 0)) !== data)
      throw new Error('not PKCS#12');
    return { contents: octets(child(child(authenticatedSafe, 1), 0)), mac: file.children[2] ?? null };
  } catch {
    throw new CertificateError('it is not a PKCS#12 file (.p12, .pfx)');
  }
}

function macMatches(contents: Buffer, mac: DerNode, password: string): boolean {
  try {
    const algorithm = child(child(mac, 0), 0);
    const expected = octets(child(child(mac, 0), 1));
    const matches = (hash: string, key: Buffer) => {
      const actual = createHmac(hash, key).update(contents).digest();
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    };
    const oid = readOid(child(algorithm, 0));
    if (oid === '1.2.840.113549.1.5.14') return matchesPbmac1(child(algorithm, 1), password, matches);

    const hash = hashOf[oid];
    if (hash === undefined) throw new UnreadAlgorithmError(`MAC ${oid}`);
    const salt = octets(child(mac, 1));
    const iterations = mac.children[2] === undefined ? 1 : readIterations(mac.children[2]);
    const length = createHmac(hash, '').digest().length;
    // Exporters disagree whether "no password" is an empty string or nothing at all.
    const spellings = password === '' ? [utf16Password(''), Buffer.alloc(0)] : [utf16Password(password)];
    return spellings.some((spelling) =>
      matches(hash, pkcs12Key({ hash, password: spelling, salt, iterations, purpose: 3, length })),
    );
  } catch (error) {
    if (error instanceof UnreadAlgorithmError) throw unread(error);
    throw new CertificateError('the file is damaged');
  }
}

/** PBMAC1 (RFC 9579): PBKDF2 and a named HMAC. */
function matchesPbmac1(
  parameters: DerNode,
  password: string,
  matches: (hash: string, key: Buffer) => boolean,
): boolean {
  const derivation = child(parameters, 0);
  const hmac = readOid(child(child(parameters, 1), 0));
  const hash = { '1.2.840.113549.2.9': 'sha256', '1.2.840.113549.2.10': 'sha384', '1.2.840.113549.2.11': 'sha512' }[
    hmac
  ];
  if (hash === undefined) throw new UnreadAlgorithmError(`MAC ${hmac}`);
  const keyLength = child(derivation, 1).children.filter((node) => node.tag === 0x02)[1];
  return matches(hash, pbkdf2Key(derivation, password, keyLength === undefined ? 32 : readInteger(keyLength)));
}

function contentOf(part: DerNode, password: string): Buffer {
  const kind = readOid(child(part, 0));
  const content = child(child(part, 1), 0);
  if (kind === data) return octets(content);
  if (kind !== encryptedData) throw new UnreadAlgorithmError(`content ${kind}`);
  const encrypted = child(content, 1);
  return decryptWithPassword(child(encrypted, 1), octets(child(encrypted, 2)), password);
}

function collect(bags: DerNode, password: string, found: Pkcs12): void {
  for (const item of bags.children) {
    const kind = readOid(child(item, 0));
    const value = child(child(item, 1), 0);
    if (kind === bag.nested) collect(value, password, found);
    if (kind === bag.key) found.keys.push(privateKey(value.raw));
    if (kind === bag.shroudedKey) {
      found.keys.push(privateKey(decryptWithPassword(child(value, 0), octets(child(value, 1)), password)));
    }
    if (kind === bag.certificate) found.certificates.push(new X509Certificate(octets(child(child(value, 1), 0))));
  }
}

function privateKey(pkcs8: Buffer): KeyObject {
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

function unread(error: UnreadAlgorithmError): CertificateError {
  return new CertificateError(`it uses an algorithm that is not supported (${error.message})`);
}
