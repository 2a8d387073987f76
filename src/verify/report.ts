import type { TimeStamp } from '../pdf/reading/time-stamp.ts';
import type { FileFacts } from '../sealing/file-facts.ts';
import { type Finding, type FindingId, finding, type Verdict, verdictOf } from './findings.ts';

/** The result of verifying a file. `document` and `recipients` are set only under a valid seal, and proven only under ours. */
export interface Report {
  verdict: Verdict;
  findings: Finding[];
  seal: SealFacts | null;
  document: DocumentFacts | null;
  recipients: RecipientFacts[];
}

export interface SealFacts {
  /** Who the document was sealed for. */
  name: string | null;
  /** The subject of the certificate. */
  subject: string;
  fingerprintSha256: string;
  /** By the clock of the sealing service. */
  signedAt: string | null;
  timeStamp: TimeStampFacts | null;
  /** Time-stamps over the whole file that were added after the seal, in order. */
  documentTimeStamps: TimeStampFacts[];
}

export interface TimeStampFacts {
  at: string;
  authority: string;
  /** Whether the authority's certificate leads to a trust anchor of this service, and the time is possible. */
  isVerified: boolean;
}

export interface DocumentFacts {
  id: string;
  title: string;
  type: string;
  /** The mode of the key that sent the document. Null when the trail does not have it. */
  mode: 'live' | 'test' | null;
  contentSha256: string;
  auditEntries: number;
  /** Hash of the last embedded entry. */
  auditHead: string;
  /** Null for a document without an attached file. */
  file: FileFacts | null;
}

/** The service's signature over the audit entry of a recipient's act. */
export interface AttestationFacts {
  /** By the clock of the service. */
  at: string | null;
  timeStamp: TimeStampFacts | null;
}

export interface RecipientFacts {
  id: string;
  name: string;
  kind: string;
  role: string | null;
  /** How the request was sent: `email`, `sms` or `in_person`. */
  channel: string | null;
  authLevel: string | null;
  viewedAt: string | null;
  /** For an approver, when they approved. */
  signedAt: string | null;
  /** `typed`, `drawn` or `approval`. */
  method: string | null;
  /** Null for a copy, for a document from before the service made them, and for one that could not be confirmed. */
  attestation: AttestationFacts | null;
}

/** Returns the report on a file without a seal that can be examined. */
export function reportOf(...ids: FindingId[]): Report {
  const findings = ids.map((id) => finding(id));
  return { verdict: verdictOf(findings), findings, seal: null, document: null, recipients: [] };
}

/** No document of this service comes near these limits. A stranger's file can state anything. */
const findingsMax = 1000;
const textLengthMax = 300;

/** Returns the report with a bounded number of findings, and texts of bounded length. */
export function boundReport({ findings, document, recipients, ...report }: Report): Report {
  return {
    ...report,
    findings: findings.slice(0, findingsMax).map(({ id, detail }) => ({ id, detail: withBoundTexts(detail) })),
    document: document && withBoundTexts({ ...document, file: document.file && withBoundTexts(document.file) }),
    recipients: recipients.map(withBoundTexts),
  };
}

function withBoundTexts<Facts extends object>(facts: Facts): Facts {
  const entries = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, textLengthMax) : value,
  ]);
  return Object.fromEntries(entries) as Facts;
}

export function timeStampFacts({ at, authority }: TimeStamp): Omit<TimeStampFacts, 'isVerified'> {
  return { at: at.toISOString(), authority: oneLine(authority) };
}

const nameLengthMax = 200;

/** Returns the name of a certificate in one line of limited length. Node.js puts each part on its own line. */
export function oneLine(name: string): string {
  return name.replaceAll('\n', ', ').slice(0, nameLengthMax);
}
