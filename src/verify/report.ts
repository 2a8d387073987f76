import type { FileFacts } from '../world/pdf/attached/file-facts.ts';
import type { TimeStamp } from '../world/pdf/reading/time-stamp.ts';
import { type Finding, type FindingId, finding, type Verdict, verdictOf } from './findings.ts';

/** What can be said of a file. What it says of itself is there only where a seal holds, and proven only where it is ours. */
export interface Report {
  verdict: Verdict;
  findings: Finding[];
  seal: SealFacts | null;
  document: DocumentFacts | null;
  parties: PartyFacts[];
}

export interface SealFacts {
  /** On whose behalf it was sealed. */
  name: string | null;
  /** Of the certificate. */
  subject: string;
  fingerprintSha256: string;
  /** What the sealing service's clock said. */
  signedAt: string | null;
  /** `isVerified`: its authority leads to a trust anchor of this service, and its time is possible. */
  timeStamp: { at: string; authority: string; isVerified: boolean } | null;
}

export interface DocumentFacts {
  id: string;
  title: string;
  type: string;
  contentSha256: string;
  auditEntries: number;
  /** The hash of the last entry embedded. */
  auditHead: string;
  /** The attached file. Null: the document has none. */
  file: FileFacts | null;
}

export interface PartyFacts {
  name: string;
  kind: string;
  role: string | null;
  /** How the request reached them. */
  channel: string | null;
  authLevel: string | null;
  viewedAt: string | null;
  /** Of an approver: when they approved. */
  signedAt: string | null;
  /** `typed`, `drawn` or `approval`. */
  method: string | null;
}

/** A report on a file without a seal that could be examined. */
export function reportOf(...ids: FindingId[]): Report {
  const findings = ids.map((id) => finding(id));
  return { verdict: verdictOf(findings), findings, seal: null, document: null, parties: [] };
}

export function timeStampFacts({ at, authority }: TimeStamp): { at: string; authority: string } {
  return { at: at.toISOString(), authority: oneLine(authority) };
}

const nameLengthMax = 200;

/** Names in certificates are strangers' text, a line for each of their parts. */
export function oneLine(name: string): string {
  return name.replaceAll('\n', ', ').slice(0, nameLengthMax);
}
