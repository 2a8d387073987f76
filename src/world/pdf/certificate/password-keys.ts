import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { child, type DerNode, octets, readInteger, readOid } from './der.ts';
import { decryptRc2Cbc } from './rc2.ts';

/** More than any program writes; a damaged count must not cost minutes. */
const iterationsMax = 5_000_000;

/** An algorithm that a PKCS#12 file names and this service does not read. */
export class UnreadAlgorithmError extends Error {}

export const hashOf: Record<string, string> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

const hmacOf: Record<string, string> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

const ciphers: Record<string, { name: string; keyBytes: number }> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
};

const legacySchemes: Record<string, { cipher: '3des' | 'rc2'; keyBytes: number }> = {
  '1.2.840.113549.1.12.1.3': { cipher: '3des', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { cipher: '3des', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { cipher: 'rc2', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { cipher: 'rc2', keyBytes: 5 },
};

/**
 * Decrypts what an `AlgorithmIdentifier` of a PKCS#12 file says: PBES2 (RFC 8018), which hashes the password as
 * UTF-8, or one of the older schemes of RFC 7292, which want it as UTF-16.
 */
export function decryptWithPassword(algorithm: DerNode, ciphertext: Buffer, password: string): Buffer {
  const oid = readOid(child(algorithm, 0));
  if (oid === '1.2.840.113549.1.5.13') return decryptPbes2(child(algorithm, 1), ciphertext, password);

  const scheme = legacySchemes[oid];
  if (scheme === undefined) throw new UnreadAlgorithmError(`encryption ${oid}`);
  const salt = octets(child(child(algorithm, 1), 0));
  const iterations = readIterations(child(child(algorithm, 1), 1));
  const derive = (purpose: 1 | 2, length: number) =>
    pkcs12Key({ hash: 'sha1', password: utf16Password(password), salt, iterations, purpose, length });
  const key = derive(1, scheme.keyBytes);
  const iv = derive(2, 8);
  if (scheme.cipher === 'rc2') return decryptRc2Cbc(key, iv, ciphertext);
  const tripleKey = scheme.keyBytes === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key;
  return decipher('des-ede3-cbc', tripleKey, iv, ciphertext);
}

function decryptPbes2(parameters: DerNode, ciphertext: Buffer, password: string): Buffer {
  const encryption = child(parameters, 1);
  const cipherOid = readOid(child(encryption, 0));
  const cipher = ciphers[cipherOid];
  if (cipher === undefined) throw new UnreadAlgorithmError(`encryption ${cipherOid}`);
  const key = pbkdf2Key(child(parameters, 0), password, cipher.keyBytes);
  return decipher(cipher.name, key, octets(child(encryption, 1)), ciphertext);
}

/** PBKDF2 as its `AlgorithmIdentifier` says. The length of the key comes from the cipher that will use it. */
export function pbkdf2Key(algorithm: DerNode, password: string, keyBytes: number): Buffer {
  const oid = readOid(child(algorithm, 0));
  if (oid !== '1.2.840.113549.1.5.12') throw new UnreadAlgorithmError(`key derivation ${oid}`);
  const parameters = child(algorithm, 1);
  const prf = parameters.children.find((node) => node.tag === 0x30);
  const prfOid = prf === undefined ? '1.2.840.113549.2.7' : readOid(child(prf, 0));
  const hash = hmacOf[prfOid];
  if (hash === undefined) throw new UnreadAlgorithmError(`key derivation with ${prfOid}`);
  const salt = octets(child(parameters, 0));
  return pbkdf2Sync(password, salt, readIterations(child(parameters, 1)), keyBytes, hash);
}

export function readIterations(node: DerNode): number {
  const iterations = readInteger(node);
  if (iterations < 1 || iterations > iterationsMax) throw new UnreadAlgorithmError(`${iterations} rounds of hashing`);
  return iterations;
}

export function utf16Password(password: string): Buffer {
  return Buffer.from(`${password}\0`, 'utf16le').swap16();
}

export interface Pkcs12KeyOptions {
  hash: string;
  /** As `utf16Password` gives it, or empty for a file without a password. */
  password: Buffer;
  salt: Buffer;
  iterations: number;
  /** 1: a key, 2: an initialisation vector, 3: a key for the MAC. */
  purpose: 1 | 2 | 3;
  length: number;
}

/** The key derivation of PKCS#12 itself (RFC 7292, appendix B.2). */
export function pkcs12Key(options: Pkcs12KeyOptions): Buffer {
  const blockBytes = options.hash === 'sha384' || options.hash === 'sha512' ? 128 : 64;
  const fill = (source: Buffer) => Buffer.alloc(Math.ceil(source.length / blockBytes) * blockBytes, source);
  const diversifier = Buffer.alloc(blockBytes, options.purpose);
  const input = Buffer.concat([options.salt, options.password].filter((part) => part.length > 0).map(fill));

  const derived: Buffer[] = [];
  for (let have = 0; have < options.length; have += derived.at(-1)?.length ?? 0) {
    let digest = Buffer.concat([diversifier, input]);
    for (let i = 0; i < options.iterations; i++) digest = createHash(options.hash).update(digest).digest();
    derived.push(digest);
    const addend = Buffer.alloc(blockBytes, digest);
    for (let at = 0; at < input.length; at += blockBytes) addPlusOne(input.subarray(at, at + blockBytes), addend);
  }
  return Buffer.concat(derived).subarray(0, options.length);
}

/** `block = (block + addend + 1) mod 2^n`, big-endian. */
function addPlusOne(block: Buffer, addend: Buffer): void {
  let carry = 1;
  for (let i = block.length - 1; i >= 0; i--) {
    carry += (block[i] ?? 0) + (addend[i] ?? 0);
    block[i] = carry & 0xff;
    carry >>= 8;
  }
}

function decipher(name: string, key: Buffer, iv: Buffer, ciphertext: Buffer): Buffer {
  const stream = createDecipheriv(name, key, iv);
  return Buffer.concat([stream.update(ciphertext), stream.final()]);
}
