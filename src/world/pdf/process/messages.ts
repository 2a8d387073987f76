import type { SignatureRequest } from '../../signing-key/signing-key.ts';
import type { CertificateSummary } from '../certificate/signing-certificate-rules.ts';
import type { ByteRange } from '../reading/find-seals.ts';
import type { SealInput } from '../seal-input.ts';

/** The content of `SIGNING_CERT_FILE`. It is sent over IPC, because other users can see arguments and environment. */
export interface CertificateFile {
  bytes: Uint8Array;
  /** Password of a PKCS#12 file. Null when the file has certificates only, and the service signs with an external key. */
  password: string | null;
}

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
}

/** Jobs of the sealing process. It runs one at a time. */
export type Job =
  | ({ kind: 'seal'; input: SealInput; certificate: CertificateFile; tsaUrl: string | null } & SealFiles)
  | { kind: 'check'; certificate: CertificateFile; now: Date }
  | { kind: 'certificate'; certificate: CertificateFile };

export interface JobResult {
  seal: SealedPdf;
  check: CertificateSummary;
  /** DER. */
  certificate: Uint8Array;
}

/** Messages of a process during a job: it accepts the job, may request signatures, then answers. */
export type ProcessMessage = { kind: 'accepted' } | SignatureMessage | ({ kind: 'answer' } & JobAnswer);

export interface SignatureMessage {
  kind: 'sign';
  id: number;
  request: SignatureRequest;
}

/** The reply of the service to a `SignatureMessage`. */
export type SignatureReply = { kind: 'signature'; id: number } & (
  | { ok: true; signature: Uint8Array }
  | { ok: false; message: string }
);

export type JobAnswer = { ok: true; result: unknown } | { ok: false; name: string; message: string };
