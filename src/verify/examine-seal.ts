import { createHash, X509Certificate } from 'node:crypto';
import { isCanonicalSeal } from '../pdf/reading/canonical-seal.ts';
import { createCoveredDigest, readDocumentStamp } from '../pdf/reading/document-stamp.ts';
import { endOf, type FoundSeal } from '../pdf/reading/find-seals.ts';
import { coversBytes, readSeal } from '../pdf/reading/locate-seal.ts';
import type { OpenedSignature } from '../pdf/reading/open-pdf.ts';
import { certificatesAreLinked, type SignedData, signatureHolds } from '../pdf/reading/signed-data.ts';
import { over, readTimeStamp, type TimeStamp, timeStampAttribute } from '../pdf/reading/time-stamp.ts';
import type { ValidationUpdate } from '../pdf/reading/validation-update.ts';
import { hasLowS } from '../pdf/signatures/low-s.ts';
import { judgeStamp, type StampTrust, type Trust } from './examine-stamps.ts';
import { type Finding, type FindingId, finding } from './findings.ts';
import { oneLine, type SealFacts, timeStampFacts } from './report.ts';

export interface Seal extends FoundSeal {
  /** Whether the document, in its latest version, refers to it. */
  isInUse: boolean;
  /** The name in the signature: who it was made for. */
  name: string | null;
  /** The kind of signature. Null when the document does not refer to it. */
  subFilter: string | null;
  /** The signing time that the signature dictionary states. */
  signedAt: Date | null;
  /** Whether the seal forbids every later change. */
  isLast: boolean;
  /** The program and level that the seal names. */
  build: OpenedSignature['build'];
  /** Returns a file that was embedded with it. Null when the document does not refer to the seal. */
  attachment(name: string): Buffer | null;
}

/** Returns the last signature of ours, otherwise the last one that the document refers to, otherwise the last one. */
export function chooseSeal(seals: readonly Seal[], certificates: readonly Uint8Array[]): Seal | null {
  const isOurs = (seal: Seal) => isAmong(certificates, readSeal(seal)?.signer ?? null);
  const inOrder = [...seals].sort((a, b) => endOf(a) - endOf(b));
  return inOrder.findLast(isOurs) ?? inOrder.findLast(({ isInUse }) => isInUse) ?? inOrder.at(-1) ?? null;
}

/** What was found out about a seal before it is examined. */
export interface Circumstances {
  /** The result of `judgeSealStamp`. */
  stampTrust: StampTrust;
  /** What follows the seal, when it is only data for checking it. */
  update: ValidationUpdate | null;
}

/** Examines what a seal covers, whether it is valid and who made it. */
export function examineSeal(
  file: Buffer,
  seal: Seal,
  certificates: readonly Uint8Array[],
  { stampTrust, update }: Circumstances = { stampTrust: 'untrusted', update: null },
): { findings: Finding[]; facts: SealFacts | null } {
  const coverage = examineCoverage(file, seal, update);
  const isOtherKind = seal.subFilter !== null && seal.subFilter !== ourSubFilter;
  const signed = readSeal(seal);
  if (signed === null) {
    return { findings: [coverage, finding(isOtherKind ? 'foreign_signature' : 'signature_damaged')], facts: null };
  }
  // Content in the signature, as some kinds have it, is signed instead of the bytes.
  const bytes = signed.content === null ? [examineBytes(file, seal, signed)] : [];
  const { signer } = signed;
  if (signer === null) {
    return {
      findings: [coverage, ...bytes, finding(isOtherKind ? 'foreign_signature' : 'certificate_not_bound')],
      facts: null,
    };
  }
  const stamp = examineTimeStamp(signed, stampTrust);
  const isTrustedStamp = stampTrust === 'trusted';
  // Earlier versions wrote the time into the signature too. Both places are under the seal.
  const claimedAt = signed.signingTime ?? seal.signedAt;
  // Without a trusted time-stamp, the time is only what the signer claims.
  const signedAt = (isTrustedStamp ? stamp.timeStamp?.at : null) ?? claimedAt;
  return {
    findings: [
      coverage,
      ...bytes,
      examineSignature(signed),
      ...(isAmong(certificates, signer) ? examineWriting(seal, signed) : []),
      ...(seal.isLast ? [finding('changes_forbidden')] : []),
      finding('certificate_bound'),
      examineOrigin(signer, certificates),
      examineValidity(signer, signedAt),
      stamp.found,
    ],
    facts: {
      name: seal.name,
      subject: oneLine(signer.subject),
      fingerprintSha256: fingerprintOf(signer),
      signedAt: claimedAt?.toISOString() ?? null,
      timeStamp: stamp.timeStamp && { ...timeStampFacts(stamp.timeStamp), isVerified: isTrustedStamp },
      documentTimeStamps: [],
    },
  };
}

/**
 * Examines the signatures that were made before the seal: whether each one is still valid for the bytes that it covers.
 * Does not judge whether their certificates can be trusted. A time-stamp of the whole file counts only if it is not valid.
 */
export function examineEarlier(file: Buffer, seal: Seal, seals: readonly Seal[]): Finding[] {
  const earlier = seals.filter((other) => other.isInUse && other !== seal && endOf(other) < endOf(seal));
  if (earlier.length === 0) return [];
  const holding = earlier.slice(0, earlierMax).filter((other) => other.isExact && holds(file, other));
  const signatures = holding.filter((other) => !isDocumentStamp(other)).length;
  return [
    ...(signatures === 0 ? [] : [finding('earlier_signatures_hold', { signatures })]),
    ...(holding.length === earlier.length ? [] : [finding('earlier_signature_broken')]),
  ];
}

function holds(file: Buffer, earlier: Seal): boolean {
  if (isDocumentStamp(earlier)) return readDocumentStamp(earlier, createCoveredDigest(file)) !== null;
  const signed = readSeal(earlier);
  if (signed === null || signed.content !== null) return false;
  // Many programs name the certificate only in the signer's id.
  const signer = signed.signer ?? signed.namedSigner;
  return signatureHolds({ ...signed, signer }) && coversBytes(file, earlier, signed);
}

/** Whether the document refers to it as a time-stamp of the whole file. */
export function isDocumentStamp({ subFilter }: Seal): boolean {
  return subFilter === 'ETSI.RFC3161';
}

/** Each signature may need a hash of the whole file. In a file with more signatures, the rest is not confirmed. */
const earlierMax = 32;

/** The kind that sealing writes (PAdES). Other kinds follow other rules and are not judged. */
const ourSubFilter = 'ETSI.CAdES.detached';

/** The range must cover the file from the first byte to the last, or to an update that shows nothing, and leave out only the signature. */
function examineCoverage(file: Buffer, seal: Seal, update: ValidationUpdate | null): Finding {
  const end = endOf(seal);
  if (!seal.isExact) return finding('byte_range_altered');
  if (end === file.length) return finding('whole_file_covered', { bytes: file.length });
  if (end > file.length) {
    return endsWhole(file) ? finding('byte_range_altered') : finding('truncated', { bytes: end - file.length });
  }
  if (!endsWhole(file.subarray(0, end))) return finding('byte_range_altered');
  if (update !== null) return finding('validation_data_added', { bytes: update.bytes });
  const rest = file.subarray(end);
  const isUpdate = rest.includes('startxref') || rest.includes('endobj');
  return finding(isUpdate ? 'update_appended' : 'bytes_appended', { bytes: rest.length });
}

function endsWhole(file: Buffer): boolean {
  return /%%EOF\s*$/.test(file.toString('latin1', Math.max(0, file.length - 20)));
}

function examineBytes(file: Buffer, seal: Seal, signed: SignedData): Finding {
  return finding(coversBytes(file, seal, signed) ? 'bytes_unchanged' : 'bytes_changed');
}

/**
 * Examines the one place that a signature does not cover: its own. Every byte there must be as sealing writes it, and the
 * unused space must be zeros.
 */
function examineWriting({ contents, isUpperCase, build }: Seal, signed: SignedData): Finding[] {
  const isRoomEmpty = contents?.subarray(signed.raw.length).every((byte) => byte === 0) === true;
  return [
    ...(isUpperCase && isCanonicalSeal(signed) && certificatesAreLinked(signed) && isAsBuilt(build, signed)
      ? []
      : [finding('signature_damaged')]),
    ...(build === null && hasOtherForm(signed) ? [finding('signature_unconfirmed')] : []),
    ...(isRoomEmpty ? [] : [finding('signature_room_used')]),
  ];
}

/** An ECDSA signature has two valid forms (see `low-s.ts`). Without a record, the sealed form is unknown. */
function hasOtherForm({ signer }: SignedData): boolean {
  return signer?.publicKey.asymmetricKeyType === 'ec';
}

/** Seals that do not name their program were made before the lower s was required. Either form is accepted. */
function isAsBuilt(build: Seal['build'], { signer, signature, unsignedAttributes }: SignedData): boolean {
  if (build === null || signer === null) return true;
  const isStamped = unsignedAttributes.has(timeStampAttribute);
  return isStamped === (build.level === 'B-T') && hasLowS(signature, signer.publicKey);
}

function examineSignature(signed: SignedData): Finding {
  const isDetached = signed.content === null && signed.contentType === idData;
  return finding(isDetached && signatureHolds(signed) ? 'signature_holds' : 'signature_broken');
}

const idData = '1.2.840.113549.1.7.1';

function examineOrigin(signer: X509Certificate, certificates: readonly Uint8Array[]): Finding {
  const detail = { subject: oneLine(signer.subject), fingerprint: fingerprintOf(signer) };
  if (isAmong(certificates, signer)) return finding('sealed_here', detail);
  if (certificates.length === 0) return finding('certificate_unknown', detail);
  const hasSameName = certificates.some((der) => new X509Certificate(der).subject === signer.subject);
  return finding(hasSameName ? 'certificate_of_same_name' : 'other_certificate', detail);
}

function isAmong(certificates: readonly Uint8Array[], signer: X509Certificate | null): boolean {
  return signer !== null && certificates.some((der) => signer.raw.equals(der));
}

/** Whether the signature was made within the certificate's validity, both ends included. A signature without a time was not. */
export function examineValidity({ validFromDate, validToDate }: X509Certificate, at: Date | null): Finding {
  const isValid = at !== null && validFromDate <= at && at <= validToDate;
  return finding(isValid ? 'certificate_in_validity' : 'certificate_out_of_validity');
}

/** Judges the seal's time-stamp as `judgeStamp` does. A seal without one has none that is trusted. */
export async function judgeSealStamp(seal: Seal, sentAt: Date | null, trust: Trust): Promise<StampTrust> {
  const signed = readSeal(seal);
  const token = signed?.unsignedAttributes.get(timeStampAttribute)?.raw;
  const { timeStamp } = signed === null ? { timeStamp: null } : examineTimeStamp(signed, 'untrusted');
  return token === undefined || timeStamp === null ? 'untrusted' : judgeStamp(token, timeStamp, sentAt, trust);
}

const findingOfTrust = {
  trusted: 'time_stamped',
  ended: 'time_stamp_ended',
  untrusted: 'time_stamp_unverified',
} as const satisfies Record<StampTrust, FindingId>;

function examineTimeStamp(signed: SignedData, trust: StampTrust): { found: Finding; timeStamp: TimeStamp | null } {
  const { signature, unsignedAttributes } = signed;
  const token = unsignedAttributes.get(timeStampAttribute);
  if (token === undefined) return { found: finding('no_time_stamp'), timeStamp: null };
  try {
    const timeStamp = readTimeStamp(token.raw, over(signature));
    return { found: finding(findingOfTrust[trust], timeStampFacts(timeStamp)), timeStamp };
  } catch {
    return { found: finding('time_stamp_broken'), timeStamp: null };
  }
}

function fingerprintOf({ raw }: X509Certificate): string {
  return createHash('sha256').update(raw).digest('hex');
}
