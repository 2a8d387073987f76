import { openPkcs12 } from './certificate/open-pkcs12.ts';
import type { Signer } from './certificate/signer.ts';
import { assertValidAt } from './certificate/signing-certificate-rules.ts';
import type { CertificateFile } from './process/messages.ts';

let opened: { file: CertificateFile; signer: Promise<Signer> } | undefined;

/**
 * Opens the PKCS#12 for a signature at `now`. With null it is only read, and may have expired. The file is opened once for
 * as long as it stays the same: deriving its keys from the password may take longer than a seal.
 */
export async function openSigner(file: CertificateFile, now: Date | null): Promise<Signer> {
  const isSame = opened?.file.password === file.password && Buffer.from(opened.file.bytes).equals(file.bytes);
  if (opened === undefined || !isSame) {
    opened = { file, signer: openPkcs12(Buffer.from(file.bytes), file.password) };
  }
  const signer = await opened.signer;
  if (now !== null) assertValidAt(signer.certificate, now);
  return signer;
}
