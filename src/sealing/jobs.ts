import type { ByteRange } from '../pdf/reading/find-seals.ts';
import type { StampValidity } from '../pdf/reading/last-stamp.ts';
import type { CertificateFile } from '../pdf/signatures/open-signer.ts';
import type { CertificateSummary } from '../pdf/signatures/signing-certificate-rules.ts';
import type { RenewedSeal, RenewInput } from './renew-seal.ts';
import type { SealInput } from './seal-input.ts';

/** Local paths. Files are not sent over IPC. */
export interface SealFiles {
  /** The attached file, or null. */
  source: string | null;
  /** Where the sealed PDF is written. */
  output: string;
}

export interface SealedPdf {
  /** Hex. */
  sha256: string;
  bytes: number;
  /** The signed bytes: offset and length of the range before the signature, and of the range after it. */
  byteRange: ByteRange;
  /** Digest of the signed bytes as stated in the signature, hex. */
  signedDigest: string;
  /** Whether the attached file was embedded because comparing its pages took too long. */
  isLate: boolean;
  /** Its newest time-stamp. Null without a time-stamp authority. */
  stamp: StampValidity | null;
}

/** The service's signature over the hash of an audit entry. */
export interface Attestation {
  /** A detached CMS over the 64 hexadecimal digits of the hash (CAdES baseline). */
  cms: Uint8Array;
  /** The time-stamp over the signature. Null without a time-stamp authority. */
  timeStamp: { at: Date; authority: string } | null;
}

/** Jobs of the sealing process. It runs one at a time. */
export type Job =
  | ({ kind: 'seal'; input: SealInput; certificate: CertificateFile; tsaUrl: string | null } & SealFiles)
  | { kind: 'draw'; input: SealInput }
  | ({ kind: 'renew'; source: string; output: string } & RenewInput)
  | { kind: 'attest'; hash: string; certificate: CertificateFile; tsaUrl: string | null; now: Date }
  | { kind: 'check'; certificate: CertificateFile; now: Date }
  | { kind: 'certificate'; certificate: CertificateFile };

export interface JobResult {
  seal: SealedPdf;
  /** The certificate alone, unsigned. */
  draw: Uint8Array;
  renew: RenewedSeal;
  attest: Attestation;
  check: CertificateSummary;
  /** DER. */
  certificate: Uint8Array;
}
