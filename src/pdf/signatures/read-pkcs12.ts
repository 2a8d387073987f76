import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import {
  AuthenticatedSafe,
  type CertBag,
  ContentInfo,
  EncryptedData,
  PFX,
  type PKCS8ShroudedKeyBag,
  type PrivateKeyInfo,
  type SafeBag,
  SafeContents,
} from 'pkijs';
import { CertificateError } from './certificate-error.ts';
import {
  bytesOf,
  decryptPart,
  encodePassword,
  isMacValid,
  type Pkcs12Password,
  UnsupportedAlgorithmError,
} from './decrypt-pkcs12.ts';

export interface Pkcs12 {
  keys: KeyObject[];
  certificates: X509Certificate[];
}

/** Maximum size of a file. A key with a long chain takes 10 kB. */
const fileBytesMax = 2 ** 20;

/**
 * Returns all private keys and certificates of a PKCS#12 file (RFC 7292), in file order. pkijs reads the structure, Node.js
 * decrypts it.
 *
 * @throws a `CertificateError` for a damaged file or a wrong password, or an `UnsupportedAlgorithmError` for RC2, PBMAC1
 * (RFC 9579) and public-key encryption.
 */
export function readPkcs12(bytes: Buffer, password: string): Pkcs12 {
  const file = parse(bytes);
  try {
    const secret = checkedPassword(file, password);
    const bags = file.safe.safeContents.flatMap((content) => readContent(content, secret));
    return {
      keys: bags.flatMap((bag) => readKey(bag, secret)),
      certificates: bags.flatMap(readCertificate),
    };
  } catch (error) {
    if (error instanceof CertificateError || error instanceof UnsupportedAlgorithmError) throw error;
    // Without a MAC, a wrong password only shows as invalid padding or structure.
    const hasMac = file.pfx.macData !== undefined;
    throw new CertificateError(hasMac ? 'the file is damaged' : 'the password is wrong, or the file is damaged');
  }
}

interface ParsedFile {
  pfx: PFX;
  content: Buffer;
  safe: AuthenticatedSafe;
}

function parse(bytes: Buffer): ParsedFile {
  if (bytes.length > fileBytesMax) throw new CertificateError('it is too large for a PKCS#12 file (over 1 MiB)');
  try {
    const pfx = PFX.fromBER(bytes);
    if (pfx.authSafe.contentType === ContentInfo.SIGNED_DATA) throw new UnsupportedAlgorithmError('a signed file');
    const content = bytesOf(pfx.authSafe.content);
    return { pfx, content, safe: AuthenticatedSafe.fromBER(content) };
  } catch (error) {
    if (error instanceof UnsupportedAlgorithmError) throw error;
    throw new CertificateError('it is not a PKCS#12 file (.p12, .pfx)');
  }
}

/** Returns the password in the encoding that fits. Exporters encode "no password" as an empty string or as no bytes. */
function checkedPassword({ pfx: { macData }, content }: ParsedFile, password: string): Pkcs12Password {
  const candidates = [encodePassword(password), ...(password === '' ? [encodePassword('', true)] : [])];
  const right = candidates.find((candidate) => macData === undefined || isMacValid(macData, content, candidate));
  if (right === undefined) throw new CertificateError('the password is wrong');
  return right;
}

function readContent({ contentType, content }: ContentInfo, password: Pkcs12Password): SafeBag[] {
  if (contentType === ContentInfo.DATA) return SafeContents.fromBER(bytesOf(content)).safeBags;
  if (contentType !== ContentInfo.ENCRYPTED_DATA) throw new UnsupportedAlgorithmError(contentType);
  const { encryptedContentInfo } = new EncryptedData({ schema: content });
  const encrypted = Buffer.from(encryptedContentInfo.getEncryptedContent());
  const decrypted = decryptPart(encryptedContentInfo.contentEncryptionAlgorithm, encrypted, password);
  return SafeContents.fromBER(decrypted).safeBags;
}

const bagTypes = {
  key: '1.2.840.113549.1.12.10.1.1',
  encryptedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
};

function readKey({ bagId, bagValue }: SafeBag, password: Pkcs12Password): KeyObject[] {
  const pkcs8 = (key: Buffer) => [createPrivateKey({ key, format: 'der', type: 'pkcs8' })];
  if (bagId === bagTypes.key) return pkcs8(Buffer.from((bagValue as PrivateKeyInfo).toSchema().toBER()));
  if (bagId !== bagTypes.encryptedKey) return [];
  const { encryptionAlgorithm, encryptedData } = bagValue as PKCS8ShroudedKeyBag;
  return pkcs8(decryptPart(encryptionAlgorithm, bytesOf(encryptedData), password));
}

/** Reads the certificate with its original bytes. pkijs could encode it differently from its issuer. */
function readCertificate({ bagId, bagValue }: SafeBag): X509Certificate[] {
  if (bagId !== bagTypes.certificate) return [];
  return [new X509Certificate(bytesOf((bagValue as CertBag).certValue as never))];
}
