import { createHash, X509Certificate } from 'node:crypto';
import { isCanonicalSeal } from '../world/pdf/reading/canonical-seal.ts';
import type { FoundSeal } from '../world/pdf/reading/find-seals.ts';
import {
  certificatesAreLinked,
  readSignedData,
  type SignedData,
  signatureHolds,
} from '../world/pdf/reading/signed-data.ts';
import { readTimeStamp, type TimeStamp, timeStampAttribute } from '../world/pdf/reading/time-stamp.ts';
import { type Finding, finding } from './findings.ts';
import { oneLine, type SealFacts, timeStampFacts } from './report.ts';

export interface Seal extends FoundSeal {
  /** Whether the document, as it now stands, refers to it. */
  isInUse: boolean;
  /** On whose behalf it says it was made. */
  name: string | null;
  /** Its kind, where the document refers to it. */
  subFilter: string | null;
  /** Whether it forbids every later change. */
  isLast: boolean;
  /** A file that came with it, where the document refers to it. */
  attachment(name: string): Buffer | null;
}

/** Of several signatures the last of ours, else the last that the document refers to, else the last there is. */
export function chooseSeal(seals: readonly Seal[], certificates: readonly Uint8Array[]): Seal | null {
  const isOurs = (seal: Seal) => isAmong(certificates, read(seal)?.signer ?? null);
  const inOrder = [...seals].sort((a, b) => endOf(a) - endOf(b));
  return inOrder.findLast(isOurs) ?? inOrder.findLast(({ isInUse }) => isInUse) ?? inOrder.at(-1) ?? null;
}

/** What a seal covers, whether it holds, and whose it is. */
export function examineSeal(
  file: Buffer,
  seal: Seal,
  certificates: readonly Uint8Array[],
): { findings: Finding[]; facts: SealFacts | null } {
  const coverage = examineCoverage(file, seal);
  const isOtherKind = seal.subFilter !== null && seal.subFilter !== ourSubFilter;
  const signed = read(seal);
  if (signed === null) {
    return { findings: [coverage, finding(isOtherKind ? 'foreign_signature' : 'signature_damaged')], facts: null };
  }
  const bytes = examineBytes(file, seal, signed);
  const { signer } = signed;
  if (signer === null) {
    return {
      findings: [coverage, bytes, finding(isOtherKind ? 'foreign_signature' : 'certificate_not_bound')],
      facts: null,
    };
  }
  const stamp = examineTimeStamp(signed);
  return {
    findings: [
      coverage,
      bytes,
      examineSignature(signed),
      ...(isAmong(certificates, signer) ? examineWriting(seal, signed) : []),
      ...(seal.isLast ? [finding('changes_forbidden')] : []),
      finding('certificate_bound'),
      examineOrigin(signer, certificates),
      examineValidity(signer, stamp.timeStamp?.at ?? signed.signingTime),
      stamp.found,
    ],
    facts: {
      name: seal.name,
      subject: oneLine(signer.subject),
      fingerprintSha256: fingerprintOf(signer),
      signedAt: signed.signingTime?.toISOString() ?? null,
      timeStamp: stamp.timeStamp && timeStampFacts(stamp.timeStamp),
    },
  };
}

/**
 * What the signatures that were there before the seal are worth: whether each still is over the bytes that it covers, by
 * the key of its certificate. Whose that is, and whether to trust it, is not for us to say.
 */
export function examineEarlier(file: Buffer, seal: Seal, seals: readonly Seal[]): Finding[] {
  const earlier = seals.filter((other) => other.isInUse && other !== seal && endOf(other) < endOf(seal));
  if (earlier.length === 0) return [];
  const holds = earlier.filter((other) => {
    const signed = other.isExact ? read(other) : null;
    return signed !== null && examineBytes(file, other, signed).id === 'bytes_unchanged' && signatureHolds(signed);
  });
  return [
    ...(holds.length === 0 ? [] : [finding('earlier_signatures_hold', { signatures: holds.length })]),
    ...(holds.length === earlier.length ? [] : [finding('earlier_signature_broken')]),
  ];
}

/** PAdES, as sealing writes it. Other kinds have other rules, which are not ours to judge by. */
const ourSubFilter = 'ETSI.CAdES.detached';

function read({ contents }: Seal): SignedData | null {
  if (contents === null) return null;
  try {
    return readSignedData(contents);
  } catch {
    return null;
  }
}

function endOf({ range }: Seal): number {
  return range[2] + range[3];
}

/** The range must leave out the signature and nothing else, from the first byte of the file to its last. */
function examineCoverage(file: Buffer, seal: Seal): Finding {
  const end = endOf(seal);
  if (!seal.isExact) return finding('byte_range_altered');
  if (end === file.length) return finding('whole_file_covered', { bytes: file.length });
  if (end > file.length) {
    return endsWhole(file) ? finding('byte_range_altered') : finding('truncated', { bytes: end - file.length });
  }
  if (!endsWhole(file.subarray(0, end))) return finding('byte_range_altered');
  const rest = file.subarray(end);
  const isUpdate = rest.includes('startxref') || rest.includes('endobj');
  return finding(isUpdate ? 'update_appended' : 'bytes_appended', { bytes: rest.length });
}

function endsWhole(file: Buffer): boolean {
  return /%%EOF\s*$/.test(file.toString('latin1', Math.max(0, file.length - 20)));
}

function examineBytes(file: Buffer, { range }: Seal, { digest, messageDigest }: SignedData): Finding {
  const [first, firstLength, second, secondLength] = range;
  const found = createHash(digest)
    .update(file.subarray(first, first + firstLength))
    .update(file.subarray(second, second + secondLength))
    .digest();
  return finding(found.equals(messageDigest) ? 'bytes_unchanged' : 'bytes_changed');
}

/**
 * The one place of the file that no signature covers is where the signature stands: nothing there may differ from what
 * sealing wrote, and the room that it did not need holds zeros.
 */
function examineWriting({ contents, isUniform }: Seal, signed: SignedData): Finding[] {
  const isRoomEmpty = contents?.subarray(signed.raw.length).every((byte) => byte === 0) === true;
  return [
    ...(isUniform && isCanonicalSeal(signed) && certificatesAreLinked(signed) ? [] : [finding('signature_damaged')]),
    ...(isRoomEmpty ? [] : [finding('signature_room_used')]),
  ];
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

/** Both ends of its years included. A signature that tells no time is never within them. */
export function examineValidity({ validFromDate, validToDate }: X509Certificate, at: Date | null): Finding {
  const isValid = at !== null && validFromDate <= at && at <= validToDate;
  return finding(isValid ? 'certificate_in_validity' : 'certificate_out_of_validity');
}

function examineTimeStamp(signed: SignedData): { found: Finding; timeStamp: TimeStamp | null } {
  const { signature, unsignedAttributes } = signed;
  const token = unsignedAttributes.get(timeStampAttribute);
  if (token === undefined) return { found: finding('no_time_stamp'), timeStamp: null };
  try {
    const timeStamp = readTimeStamp(token.raw, signature);
    return { found: finding('time_stamped', timeStampFacts(timeStamp)), timeStamp };
  } catch {
    return { found: finding('time_stamp_broken'), timeStamp: null };
  }
}

function fingerprintOf({ raw }: X509Certificate): string {
  return createHash('sha256').update(raw).digest('hex');
}
