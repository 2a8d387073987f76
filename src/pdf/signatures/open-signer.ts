import { requestSignature } from '../process/request-signature.ts';
import { openChain } from './open-chain.ts';
import { openPkcs12 } from './open-pkcs12.ts';
import type { Signer } from './signer.ts';
import { assertValidAt } from './signing-certificate-rules.ts';

/** The content of `SIGNING_CERT_FILE`. It is sent over IPC, because other users can see arguments and environment. */
export interface CertificateFile {
  bytes: Uint8Array;
  /** Password of a PKCS#12 file. Null when the file has certificates only, and the service signs with an external key. */
  password: string | null;
}

let opened: { file: CertificateFile; signer: Promise<Signer> } | undefined;

/**
 * Opens the certificate file for a signature at `now`. With null, the certificate may have expired. An unchanged file is
 * opened only once, because deriving keys from the password may take longer than a seal. Runs in a PDF process.
 */
export async function openSigner(file: CertificateFile, now: Date | null): Promise<Signer> {
  const isSame = opened?.file.password === file.password && Buffer.from(opened.file.bytes).equals(file.bytes);
  if (opened === undefined || !isSame) opened = { file, signer: open(file) };
  const signer = await opened.signer;
  if (now !== null) assertValidAt(signer.certificate, now);
  return signer;
}

async function open({ bytes, password }: CertificateFile): Promise<Signer> {
  return password === null ? openChain(Buffer.from(bytes), requestSignature) : openPkcs12(Buffer.from(bytes), password);
}
