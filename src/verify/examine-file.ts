import { type FoundSeal, findSeals } from '../world/pdf/reading/find-seals.ts';
import { type OpenedPdf, type OpenedSignature, openPdf } from '../world/pdf/reading/open-pdf.ts';
import { chooseSeal, examineEarlier, examineSeal, type Seal } from './examine-seal.ts';
import { examineTrail, holdsTrail } from './examine-trail.ts';
import { type FindingId, finding, verdictOf } from './findings.ts';
import { type Report, reportOf } from './report.ts';

export interface Examined {
  report: Report;
  /** The bytes of a file that is embedded under a seal that holds; null for any other. */
  attachment(name: string): Buffer | null;
}

/**
 * Says of a file whether it was sealed with one of `certificates` (DER) and is what it was then. A valid seal covers
 * every byte but itself, so nothing that a stranger put into the file is believed before the seal is found to hold.
 * Runs in a process of its own: a file may take any time and memory.
 */
export async function examineFile(file: Buffer, certificates: readonly Uint8Array[]): Promise<Examined> {
  const without = (...ids: FindingId[]): Examined => ({ report: reportOf(...ids), attachment: () => null });
  if (file.length === 0) return without('empty_file');
  if (!file.subarray(0, headerWithin).includes('%PDF-')) return without('not_a_pdf');
  const opened = await openPdf(file).catch(() => null);
  if (opened?.isEncrypted) return without('encrypted');

  const seals = sealsOf(file, opened);
  const seal = chooseSeal(seals, certificates);
  if (seal === null) return without(whyNoSeal(file, opened), ...remarksOn(opened));
  const sealed = examineSeal(file, seal, certificates);
  const attachment = (name: string) => seal.attachment(name) ?? opened?.attachment(name) ?? null;
  const trail = opened === null ? null : examineTrail(file, attachment);
  const findings = [
    finding('is_pdf'),
    ...(opened === null ? [finding('structure_damaged')] : []),
    ...remarksOn(opened).map((id) => finding(id)),
    ...(opened !== null && !seal.isInUse ? [finding('seal_disconnected')] : []),
    ...sealed.findings,
    ...(trail?.findings ?? []),
    ...examineEarlier(file, seal, seals),
  ];
  const verdict = verdictOf(findings);
  const isBelievable = verdict === 'valid' || verdict === 'not_sealed_here';
  const report = {
    verdict,
    findings,
    seal: sealed.facts,
    document: isBelievable ? (trail?.document ?? null) : null,
    parties: isBelievable ? (trail?.parties ?? []) : [],
  };
  return { report, attachment: isBelievable ? attachment : () => null };
}

/** Readers look for the header there (ISO 32000-2, annex on implementations). */
const headerWithin = 1024;

/** What the bytes show, and of what the document refers to also that which they do not show. */
function sealsOf(file: Buffer, opened: OpenedPdf | null): Seal[] {
  const found = findSeals(file);
  const inUse = opened?.signatures ?? [];
  const shown = found.map((seal) => sealOf(seal, inUse.find((signature) => isSame(seal, signature)) ?? null));
  const hidden = inUse.filter((signature) => !found.some((seal) => isSame(seal, signature)));
  return [...shown, ...hidden.map((signature) => sealOf({ ...notShown, contents: signature.contents }, signature))];
}

const notShown = { range: [0, 0, 0, 0], isExact: false, isUniform: false } as const;

function sealOf(found: FoundSeal, user: OpenedSignature | null): Seal {
  return {
    ...found,
    isInUse: user !== null,
    name: user?.name ?? null,
    subFilter: user?.subFilter ?? null,
    isLast: user?.isLast ?? false,
    attachment: (name) => user?.attachment(name) ?? null,
  };
}

function isSame({ range, contents }: FoundSeal, signature: OpenedSignature): boolean {
  return range.every((number, i) => number === signature.range[i]) && contents?.equals(signature.contents) !== false;
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
