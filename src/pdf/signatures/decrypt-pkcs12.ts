import { createDecipheriv, createHmac, hash, pbkdf2Sync } from 'node:crypto';
import type { OctetString } from 'asn1js';
import { type AlgorithmIdentifier, type MacData, PBES2Params, PBKDF2Params } from 'pkijs';
import { CertificateError } from './certificate-error.ts';

/** The password of a PKCS#12 file in the two standard encodings. */
export interface Pkcs12Password {
  /** UTF-8, for PBES2 (RFC 8018). */
  utf8: Buffer;
  /** UTF-16 big-endian with two trailing zero bytes, for the PKCS#12 schemes. */
  utf16: Buffer;
  /** Hash iterations that the file may still use. */
  roundsLeft: number;
}

/** The file uses an algorithm that this reader does not support. The message names the algorithm. */
export class UnsupportedAlgorithmError extends Error {}

/** Maximum hash iterations per file. Some exporters use 600,000 each for the MAC, the certificates and the key. */
const roundsMax = 3_000_000;

/** Encodes a password. `isAbsent` omits the trailing zero bytes, as some programs do for an empty password. */
export function encodePassword(password: string, isAbsent = false): Pkcs12Password {
  const utf16 = Buffer.from(isAbsent ? '' : `${password}\0`, 'utf16le').swap16();
  return { utf8: Buffer.from(password), utf16, roundsLeft: roundsMax };
}

/** Checks the MAC of a PKCS#12 file (RFC 7292, section 4) over `content` with a password. */
export function isMacValid(
  { mac, macSalt, iterations = 1 }: MacData,
  content: Buffer,
  password: Pkcs12Password,
): boolean {
  const digest = digests[mac.digestAlgorithm.algorithmId];
  if (digest === undefined) throw new UnsupportedAlgorithmError(mac.digestAlgorithm.algorithmId);
  const key = deriveKey(digest, 'mac', password, bytesOf(macSalt), iterations, hash(digest, '', 'buffer').length);
  return createHmac(digest, key).update(content).digest().equals(bytesOf(mac.digest));
}

/**
 * Decrypts a part of a PKCS#12 file.
 *
 * @throws an `UnsupportedAlgorithmError`, or another error for a wrong password.
 */
export function decryptPart(algorithm: AlgorithmIdentifier, encrypted: Buffer, password: Pkcs12Password): Buffer {
  if (algorithm.algorithmId === pbes2) return decryptPbes2(algorithm, encrypted, password);
  const keyBytes = tripleDesKeyBytes[algorithm.algorithmId];
  const { salt, rounds } = readPbeParameters(algorithm);
  if (keyBytes === undefined) {
    spendRounds(password, rounds);
    throw new UnsupportedAlgorithmError(algorithm.algorithmId);
  }
  const key = deriveKey('sha1', 'key', password, salt, rounds, keyBytes);
  const iv = deriveKey('sha1', 'iv', password, salt, rounds, 8);
  return decipher('des-ede3-cbc', Buffer.concat([key, key]).subarray(0, 24), iv, encrypted);
}

const pbes2 = '1.2.840.113549.1.5.13';

const digests: Record<string, string> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

const hmacDigests: Record<string, string> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

/** Ciphers by OID. Single DES is triple DES with one key repeated three times, and OpenSSL offers only triple DES. */
const ciphers: Record<string, { name: string; keyBytes: number; repeated?: number }> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
  '1.3.14.3.2.7': { name: 'des-ede3-cbc', keyBytes: 8, repeated: 3 },
};

/** Key lengths of the triple DES schemes. With two keys of 8 bytes, the first is also the third. */
const tripleDesKeyBytes: Record<string, number> = {
  '1.2.840.113549.1.12.1.3': 24,
  '1.2.840.113549.1.12.1.4': 16,
};

function decryptPbes2(algorithm: AlgorithmIdentifier, encrypted: Buffer, password: Pkcs12Password): Buffer {
  const { keyDerivationFunc, encryptionScheme } = new PBES2Params({ schema: algorithm.algorithmParams });
  const { salt, iterationCount, prf } = new PBKDF2Params({ schema: keyDerivationFunc.algorithmParams });
  const digest = hmacDigests[prf?.algorithmId ?? '1.2.840.113549.2.7'];
  const cipher = ciphers[encryptionScheme.algorithmId];
  if (digest === undefined) throw new UnsupportedAlgorithmError(prf?.algorithmId);
  if (cipher === undefined) throw new UnsupportedAlgorithmError(encryptionScheme.algorithmId);
  spendRounds(password, iterationCount);
  const key = pbkdf2Sync(password.utf8, bytesOf(salt), iterationCount, cipher.keyBytes, digest);
  const iv = bytesOf(encryptionScheme.algorithmParams);
  return decipher(cipher.name, Buffer.concat(Array(cipher.repeated ?? 1).fill(key)), iv, encrypted);
}

function readPbeParameters({ algorithmId, algorithmParams }: AlgorithmIdentifier): { salt: Buffer; rounds: number } {
  const [salt, rounds] = algorithmParams?.valueBlock?.value ?? [];
  if (salt === undefined || rounds === undefined) throw new UnsupportedAlgorithmError(algorithmId);
  return { salt: bytesOf(salt), rounds: rounds.valueBlock.valueDec };
}

function decipher(name: string, key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  const cipher = createDecipheriv(name, key, iv);
  return Buffer.concat([cipher.update(encrypted), cipher.final()]);
}

const purposes = { key: 1, iv: 2, mac: 3 };

/** Derives a key (RFC 7292, appendix B.2). Node.js and pkijs do not offer this function. */
function deriveKey(
  digest: string,
  purpose: keyof typeof purposes,
  password: Pkcs12Password,
  salt: Buffer,
  rounds: number,
  bytes: number,
): Buffer {
  spendRounds(password, rounds);
  const block = digest === 'sha384' || digest === 'sha512' ? 128 : 64;
  const diversifier = Buffer.alloc(block, purposes[purpose]);
  const input = Buffer.concat([fill(salt, block), fill(password.utf16, block)]);
  const made: Buffer[] = [];
  for (let length = 0; length < bytes; ) {
    let part = hash(digest, Buffer.concat([diversifier, input]), 'buffer');
    for (let round = 1; round < rounds; round++) part = hash(digest, part, 'buffer');
    made.push(part);
    length += part.length;
    const addend = Buffer.alloc(block, part);
    for (let at = 0; at < input.length; at += block) addTo(input.subarray(at, at + block), addend);
  }
  return Buffer.concat(made).subarray(0, bytes);
}

/** Repeats `bytes` up to a multiple of the block length. */
function fill(bytes: Buffer, block: number): Buffer {
  return bytes.length === 0 ? bytes : Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Adds `addend` and one to a big-endian number of the same length. */
function addTo(number: Buffer, addend: Buffer): void {
  let carry = 1;
  for (let at = number.length - 1; at >= 0; at--) {
    const sum = (number[at] ?? 0) + (addend[at] ?? 0) + carry;
    number[at] = sum & 0xff;
    carry = sum >> 8;
  }
}

function spendRounds(password: Pkcs12Password, rounds: number): void {
  if (!(rounds >= 1 && rounds <= password.roundsLeft)) {
    throw new CertificateError(`it uses an algorithm that is not supported (${rounds} rounds of hashing)`);
  }
  password.roundsLeft -= rounds;
}

/** Returns the bytes of an octet string, joining the chunks that some programs write. */
export function bytesOf(octets: OctetString): Buffer {
  return Buffer.from(octets.getValue());
}
