import { type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import { P12Signer, SignerError } from '@libpdf/core';
import { CertificateError } from './certificate-error.ts';
import { UnsupportedAlgorithmError } from './decrypt-pkcs12.ts';
import { withLowS } from './low-s.ts';
import { readPkcs12 } from './read-pkcs12.ts';
import type { Signer } from './signer.ts';
import { assertMaySign, chainOf, usableKeyType } from './signing-certificate-rules.ts';

/**
 * Opens a PKCS#12 file for signing.
 *
 * @throws a `CertificateError` with a message of one line.
 */
export async function openPkcs12(file: Buffer, password: string): Promise<Signer> {
  const { keys, certificates } = await readFile(file, password);
  if (keys.length === 0) throw new CertificateError('it has no private key');
  if (certificates.length === 0) throw new CertificateError('it has no certificate');
  try {
    const [key, certificate] = await matchingPair(keys, certificates);
    assertMaySign(certificate);
    return {
      certificate,
      chain: chainOf(certificate, certificates),
      keyType: usableKeyType(certificate.publicKey),
      digestAlgorithm: 'SHA-256',
      sign: async (data) => withLowS(await key.sign(data), certificate.publicKey),
    };
  } catch (error) {
    throw error instanceof CertificateError ? error : new CertificateError('its key or certificate is damaged');
  }
}

/** A private key of the file. Signs with SHA-256. */
interface FileKey {
  belongsTo(certificate: X509Certificate): Promise<boolean>;
  sign(data: Uint8Array): Promise<Buffer>;
}

interface OpenedFile {
  keys: FileKey[];
  certificates: X509Certificate[];
}

/**
 * Reads the keys and certificates of a file. Uses libpdf's `P12Signer` only for RC2, which OpenSSL 3 has dropped.
 * `P12Signer` refuses files without a MAC and PBES2 with triple DES. It assumes that the first certificate is the signer's,
 * uses the last key, and does not limit iterations.
 */
async function readFile(file: Buffer, password: string): Promise<OpenedFile> {
  try {
    const { keys, certificates } = readPkcs12(file, password);
    return { keys: keys.map(nodeKey), certificates };
  } catch (error) {
    if (!(error instanceof UnsupportedAlgorithmError)) throw error;
    const opened = await openWithLibpdf(file, password);
    if (opened !== null) return opened;
    throw new CertificateError(`it uses an algorithm that is not supported (${error.message})`);
  }
}

function nodeKey(key: KeyObject): FileKey {
  return {
    belongsTo: async (certificate) => certificate.checkPrivateKey(key),
    sign: async (data) => sign('sha256', data, key),
  };
}

/** Opens a file with libpdf. Returns null when libpdf cannot open it. */
async function openWithLibpdf(file: Buffer, password: string): Promise<OpenedFile | null> {
  try {
    const signer = await P12Signer.create(file, password);
    const certificates = [signer.certificate, ...signer.certificateChain].map((der) => new X509Certificate(der));
    return { keys: [libpdfKey(signer)], certificates };
  } catch (error) {
    if (error instanceof SignerError) return null;
    throw error;
  }
}

/** Wraps a key of libpdf, which does not expose the key itself. A trial signature shows which certificate it belongs to. */
function libpdfKey(signer: P12Signer): FileKey {
  const signData = async (data: Uint8Array) => Buffer.from(await signer.sign(data, 'SHA-256'));
  const trial = Buffer.from('Countersign');
  return {
    belongsTo: async ({ publicKey }) => verify('sha256', trial, publicKey, await signData(trial)),
    sign: signData,
  };
}

/** Finds a key and its certificate. The file may contain the chain in any order. */
async function matchingPair(
  keys: FileKey[],
  certificates: X509Certificate[],
): Promise<[key: FileKey, certificate: X509Certificate]> {
  for (const key of keys) {
    for (const certificate of certificates) {
      if (await key.belongsTo(certificate)) return [key, certificate];
    }
  }
  throw new CertificateError('its private key does not belong to its certificate');
}
