import { type ByteRange, endOf, type FoundSeal, findSeals, sealAt, sealsMax } from '../pdf/reading/find-seals.ts';
import { locateSeal, readSeal } from '../pdf/reading/locate-seal.ts';
import { type OpenedPdf, type OpenedSignature, openPdf } from '../pdf/reading/open-pdf.ts';
import { readValidationUpdate } from '../pdf/reading/validation-update.ts';
import { examineAttestations } from './examine-attestations.ts';
import { chooseSeal, examineEarlier, examineSeal, isDocumentStamp, judgeSealStamp, type Seal } from './examine-seal.ts';
import { examineStamps, type Trust } from './examine-stamps.ts';
import { auditFile, examineTrail, holdsTrail } from './examine-trail.ts';
import { type Finding, type FindingId, finding, findingMeanings, verdictOf } from './findings.ts';
import { boundReport, type Report, reportOf } from './report.ts';

export interface Examined {
  report: Report;
  /**
   * Digest (hex) of the bytes that the seal covers, from the signature. Null when no seal can be read, or the seal is on
   * record with every byte.
   */
  signedDigest: string | null;
  /** Returns the bytes of an embedded file that a valid seal covers. Null for other names. */
  attachment(name: string): Buffer | null;
}

/** What a file is compared with. */
export interface Known extends Trust {
  /** Certificates (DER) of this service's seals. */
  certificates: readonly Uint8Array[];
  /** The sealed file that this file is equal to or begins with. */
  recorded: RecordedFile | null;
}

export interface RecordedFile {
  bytes: number;
  /** The bytes that its seal covers. Null for files that were sealed before this was recorded. */
  range: ByteRange | null;
}

/**
 * Examines whether a file was sealed by this service and is unchanged since. A valid seal covers every byte except
 * itself, so nothing in the file is believed before the seal is found valid. A file may take any amount of time and
 * memory: run this in a separate process.
 */
export async function examineFile(file: Buffer, known: Known): Promise<Examined> {
  const without = (...ids: FindingId[]): Examined => ({
    report: reportOf(...ids),
    signedDigest: null,
    attachment: () => null,
  });
  if (file.length === 0) return without('empty_file');
  if (!file.subarray(0, headerWithin).includes('%PDF-')) return without('not_a_pdf');
  const opened = await openPdf(file).catch(() => null);
  const isRecorded = known.recorded?.bytes === file.length;
  if (opened?.isEncrypted && !isRecorded) return without('encrypted');

  const seals = sealsOf(file, opened);
  const { seal, certificates, isOnRecord } = findOwnSeal(file, seals.filter(isSeal), opened, known);
  const isOthers = known.recorded === null && seal !== null && isOfOthers(seal, opened, certificates);
  // Text can look like a signature that the document doesn't use.
  const isUnknown = isOthers && (opened === null || (!seal.isInUse && readSeal(seal) === null));
  if (seal === null || isUnknown) return without(whyNoSeal(file, opened), ...remarksOn(opened));
  const attachment = (name: string) => seal.attachment(name) ?? opened?.attachment(name) ?? null;
  const trail = opened === null ? null : examineTrail(file, attachment);
  const sentAt = trail?.sentAt ?? null;
  const update = endOf(seal) < file.length && seal.isExact ? readValidationUpdate(file, endOf(seal)) : null;
  const stamps = await examineStamps(file, update?.stamps ?? [], sentAt, known);
  const attested =
    trail && (await examineAttestations({ ...trail, attachment, certificates }, { ...known, now: stamps.provenAt }));
  const recipients = trail?.recipients.map((one) => ({ ...one, attestation: attested?.facts.get(one.id) ?? null }));
  const stampTrust = await judgeSealStamp(seal, sentAt, { ...known, now: stamps.provenAt });
  const sealed = examineSeal(file, seal, certificates, { stampTrust, update });
  const found = [
    ...(opened === null ? [finding('structure_damaged')] : []),
    ...remarksOn(opened).map((id) => finding(id)),
    ...(opened !== null && !seal.isInUse ? [finding('seal_disconnected')] : []),
    ...sealed.findings,
    ...stamps.findings,
    ...(trail?.findings ?? []),
    ...(attested?.findings ?? []),
    ...examineEarlier(file, seal, seals),
  ];
  const judged = isOthers ? withoutOwnRules(seal, found) : found;
  const findings = [finding('is_pdf'), ...(isRecorded ? asRecorded(judged) : judged)];
  const verdict = verdictOf(findings);
  const isBelievable = verdict === 'valid' || (verdict === 'not_sealed_here' && !isOthers);
  const report = boundReport({
    verdict,
    findings,
    seal: sealed.facts && { ...sealed.facts, documentTimeStamps: stamps.facts },
    document: isBelievable ? (trail?.document ?? null) : null,
    recipients: isBelievable ? (recipients ?? []) : [],
  });
  const signedDigest = isOnRecord ? null : (readSeal(seal)?.messageDigest.toString('hex') ?? null);
  return { report, signedDigest, attachment: isBelievable ? attachment : () => null };
}

interface OwnSeal {
  seal: Seal | null;
  /** The certificates to compare it with. */
  certificates: readonly Uint8Array[];
  /** Whether its bytes are those of a sealed file on record. */
  isOnRecord: boolean;
}

/**
 * Chooses the seal that decides the verdict, and the certificates to compare it with. The first of these that exists:
 * the seal at the recorded place, whose certificate is then ours; a valid seal of ours that covers the whole file; the
 * last seal of ours; another seal that covers the whole file; any seal.
 */
function findOwnSeal(
  file: Buffer,
  seals: readonly Seal[],
  opened: OpenedPdf | null,
  { recorded, certificates }: Known,
): OwnSeal {
  const isOurs = ({ raw }: { raw: Buffer }) => certificates.some((der) => raw.equals(der));
  const whole = locateSeal(file, seals, isOurs)?.seal ?? null;
  const isExtended = recorded !== null && recorded.bytes < file.length;
  if (recorded !== null && !(isExtended && whole !== null)) {
    const before = file.subarray(0, recorded.bytes);
    const range = recorded.range ?? locateSeal(before, seals, isOurs)?.seal.range;
    if (range !== undefined) {
      const seal = seals.find((one) => isSameRange(one.range, range)) ?? usedBy(sealAt(file, range), opened);
      const signer = readSeal(seal)?.signer;
      return { seal, certificates: signer ? [...certificates, signer.raw] : certificates, isOnRecord: true };
    }
  }
  const chosen = chooseSeal(seals, certificates);
  const signer = chosen === null ? null : readSeal(chosen)?.signer;
  const other = signer && isOurs(signer) ? chosen : locateSeal(file, seals, () => true)?.seal;
  return { seal: whole ?? other ?? chosen, certificates, isOnRecord: false };
}

/** Whether a signature can be a seal. A time-stamp of the whole file is none. */
function isSeal(seal: Seal): boolean {
  return !seal.isInUse || !isDocumentStamp(seal);
}

/**
 * Whether a seal is the signature of another service, as far as the file shows: none of our certificates made it, it doesn't name
 * Countersign, and the file has none of what is embedded in documents that are sealed here.
 */
function isOfOthers(seal: Seal, opened: OpenedPdf | null, certificates: readonly Uint8Array[]): boolean {
  const signer = readSeal(seal)?.signer;
  const isOurs = signer && certificates.some((der) => signer.raw.equals(der));
  const hasTrail = opened !== null && (holdsTrail(opened) || seal.attachment(auditFile) !== null);
  return !isOurs && !hasTrail && seal.build === null;
}

/** Alterations that are certain, whatever made the signature. */
const certain: readonly FindingId[] = ['bytes_changed', 'truncated'];

/**
 * Leaves out what only our own rules call an alteration. Other services sign in other ways, and PDF allows additions after a signature,
 * such as data for checking it years later.
 */
function withoutOwnRules({ isExact }: Seal, found: readonly Finding[]): Finding[] {
  const isKept = ({ id }: Finding) => findingMeanings[id] !== 'altered' || (isExact && certain.includes(id));
  const kept = found.filter(isKept);
  const isSaid = kept.some(({ id }) => findingMeanings[id] === 'not_sealed_here');
  return isSaid ? kept : [...kept, finding('foreign_signature')];
}

/** A recorded file is genuine. Findings against it come from parts of its attached file that mislead readers. */
function asRecorded(found: readonly Finding[]): Finding[] {
  const isAgainst = ({ id }: Finding) => !['good', 'remark'].includes(findingMeanings[id]);
  const rest = found.filter((one) => !isAgainst(one));
  const isAllRead = rest.length === found.length;
  const confirmed = rest.filter(({ id }) => id !== 'signature_unconfirmed');
  return [finding('recorded_here'), ...confirmed, ...(isAllRead ? [] : [finding('contents_unreadable')])];
}

/** Bytes. PDF readers look for the header within this distance (ISO 32000-2, annex on implementations). */
const headerWithin = 1024;

/** Lists the seals found in the bytes, and the signatures that the document refers to but the bytes do not show. */
function sealsOf(file: Buffer, opened: OpenedPdf | null): Seal[] {
  const found = findSeals(file);
  const inUse = opened?.signatures ?? [];
  const hidden = inUse.filter((signature) => !found.some((seal) => isSame(seal, signature)));
  const lastHidden = hidden.sort((a, b) => (b.range[1] ?? 0) - (a.range[1] ?? 0)).slice(0, sealsMax);
  return [...found.map((seal) => usedBy(seal, opened)), ...lastHidden.map((signature) => readHidden(file, signature))];
}

function usedBy(seal: FoundSeal, opened: OpenedPdf | null): Seal {
  return sealOf(seal, opened?.signatures.find((signature) => isSame(seal, signature)) ?? null);
}

/** Reads a signature whose range is written in an unusual way. */
function readHidden(file: Buffer, signature: OpenedSignature): Seal {
  const { range, contents } = signature;
  const isRange = range.length === 4 && range.every((number) => Number.isSafeInteger(number) && number >= 0);
  const seal = isRange ? sealAt(file, range as unknown as ByteRange) : null;
  return sealOf(seal !== null && isSame(seal, signature) ? seal : { ...notShown, contents }, signature);
}

const notShown = { range: [0, 0, 0, 0], isExact: false, isUpperCase: false } as const;

function sealOf(found: FoundSeal, user: OpenedSignature | null): Seal {
  return {
    ...found,
    isInUse: user !== null,
    name: user?.name ?? null,
    subFilter: user?.subFilter ?? null,
    signedAt: user?.signedAt ?? null,
    isLast: user?.isLast ?? false,
    build: user?.build ?? null,
    attachment: (name) => user?.attachment(name) ?? null,
  };
}

function isSame({ range, contents }: FoundSeal, signature: OpenedSignature): boolean {
  return isSameRange(range, signature.range) && contents?.equals(signature.contents) !== false;
}

function isSameRange(range: ByteRange, other: readonly number[]): boolean {
  return range.length === other.length && range.every((number, i) => number === other[i]);
}

function remarksOn(opened: OpenedPdf | null): FindingId[] {
  return [
    ...(opened?.isRepaired ? ['structure_repaired' as const] : []),
    ...(opened?.hasXfa ? ['has_xfa' as const] : []),
  ];
}

function whyNoSeal(file: Buffer, opened: OpenedPdf | null): FindingId {
  const isWhole = file.subarray(-headerWithin).includes('%%EOF');
  if (!isWhole && (opened === null || opened.isRepaired)) return 'cut_short';
  if (opened === null) return 'structure_unreadable';
  return holdsTrail(opened) ? 'seal_removed' : 'no_seal';
}
