import { assertValidAt, openSigningIdentity, type SigningIdentity } from './certificate/signing-identity.ts';
import type { CertificateFile } from './process/messages.ts';

let opened: { file: CertificateFile; identity: SigningIdentity } | undefined;

/**
 * Opens the PKCS#12 for a signature at `now`, or with null only to read it: then it may have expired. The file is read once for as long as it stays the same: deriving its keys
 * from the password may take longer than a seal.
 */
export function openIdentity(file: CertificateFile, now: Date | null): SigningIdentity {
  const isSame = opened?.file.password === file.password && Buffer.from(opened.file.bytes).equals(file.bytes);
  if (opened === undefined || !isSame) {
    opened = { file, identity: openSigningIdentity(Buffer.from(file.bytes), file.password) };
  }
  if (now !== null) assertValidAt(opened.identity, now);
  return opened.identity;
}
