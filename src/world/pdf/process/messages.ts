import type { SignatureRequest } from '../../signing-key/signing-key.ts';
import type { CertificateSummary } from '../certificate/signing-certificate-rules.ts';
import type { ByteRange } from '../reading/find-seals.ts';
import type { SealInput } from '../seal-input.ts';

/** `SIGNING_CERT_FILE` as the parent read it. It travels by IPC: arguments and environment are visible to others. */
export interface CertificateFile {
  bytes: Uint8Array;
  /** Of a PKCS#12 file. Null: the file holds certificates only, and the service is asked for signatures. */
  password: string | null;
}

/** Local paths: a large file stays on disk. */
export interface SealFiles {
  /** The attached file, where there is one. */
  source: string | null;
  /** Where the sealed PDF is written. */
  output: string;
}

export interface SealedPdf {
  /** Hex. */
  sha256: string;
  bytes: number;
  /** What the seal covers: offset and length before its own bytes, and after them. */
  byteRange: ByteRange;
  /** Over what it covers, as its signature names it, hex. */
  signedDigest: string;
  /** The attached file was embedded because the time for comparing its pages was over. */
  isLate: boolean;
}

/** What the service asks of the process that seals, one job at a time. */
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

/** A process first says that it has the job, may ask for signatures, and then says what came of the job. */
export type ProcessMessage = { kind: 'accepted' } | SignatureWish | ({ kind: 'answer' } & JobAnswer);

export interface SignatureWish {
  kind: 'sign';
  id: number;
  request: SignatureRequest;
}

/** What the service replies to a `SignatureWish`. */
export type SignatureReply = { kind: 'signature'; id: number } & (
  | { ok: true; signature: Uint8Array }
  | { ok: false; message: string }
);

export type JobAnswer = { ok: true; result: unknown } | { ok: false; name: string; message: string };
