import { createHash } from 'node:crypto';
import { recipientActor } from '../actor.ts';
import { type ChainedEntry, firstBreak } from '../documents/audit.ts';
import type { OpenedPdf } from '../pdf/reading/open-pdf.ts';
import { examineAttachedFile } from './examine-attached-file.ts';
import { examineValues } from './examine-values.ts';
import { type Finding, finding } from './findings.ts';
import { asArray, asObject, asText } from './json-values.ts';
import type { DocumentFacts, RecipientFacts } from './report.ts';

export interface TrailFacts {
  findings: Finding[];
  document: DocumentFacts | null;
  recipients: RecipientFacts[];
  /** When the document was first sent. Null when the trail does not have it. */
  sentAt: Date | null;
  entries: ChainedEntry[];
}

interface Content {
  id: string;
  title: string;
  type: string;
  recipients: Array<{ id: string; name: string; kind: string; role: string | null }>;
}

type Attachment = OpenedPdf['attachment'];

/** Names of embedded files. Sealing writes them in `signing/load-seal-input.ts` and `sealing/attached/seal-file.ts`. */
const contentFile = 'content.json';
export const auditFile = 'audit.json';
const fileBytesMax = 16 * 2 ** 20;
/** Far more than a document has recipients. */
const partiesMax = 1000;

/** Whether a PDF has the embedded files of every document that is sealed here. */
export function holdsTrail(pdf: OpenedPdf): boolean {
  return pdf.attachment(contentFile) !== null && pdf.attachment(auditFile) !== null;
}

/**
 * Checks the embedded files against each other: each entry of the audit trail against the one before, the content against
 * the hash in the entry of the sending or of the last reassignment, the recipients against the signatures, and the values
 * they filled in against the hash in their entries. Only the seal proves that the files were not all replaced together.
 */
export function examineTrail(file: Buffer, attachment: Attachment): TrailFacts {
  const content = attachment(contentFile);
  const audit = attachment(auditFile);
  if (content === null && audit === null) return nothing('no_audit_trail');
  try {
    if (content === null || audit === null || content.length + audit.length > fileBytesMax) throw new Error('no files');
    const [described, entries] = [readContent(content), readTrail(audit)];
    const trail = examine(content, described, entries);
    const attached = examineAttachedFile(file, content, attachment);
    const values = examineValues(entries, described.recipients, attachment);
    const document = trail.document && { ...trail.document, file: attached.file };
    return { ...trail, document, findings: [...trail.findings, ...attached.findings, ...values] };
  } catch {
    return nothing('audit_trail_unreadable');
  }
}

function nothing(id: 'no_audit_trail' | 'audit_trail_unreadable'): TrailFacts {
  return { findings: [finding(id)], document: null, recipients: [], sentAt: null, entries: [] };
}

function examine(file: Buffer, content: Content, trail: ChainedEntry[]): TrailFacts {
  const broken = firstBreak(content.id, trail);
  const head = trail.at(-1)?.hash.toString('hex') ?? '';
  const contentSha256 = createHash('sha256').update(file).digest('hex');
  // After a reassignment the content names the new recipient.
  const frozen = trail.findLast(({ action }) => action === 'sent' || action === 'reassigned');
  const sent = trail.find(({ action }) => action === 'sent');
  const mode = modeOf(sent?.detail.mode);
  const recipients = content.recipients.map((recipient) => recipientFacts(recipient, trail));
  const missing = recipients.find(({ kind, signedAt }) => kind !== 'cc' && signedAt === null);
  return {
    findings: [
      broken === null
        ? finding('audit_trail_intact', { entries: trail.length, hash: head })
        : finding('audit_trail_broken', { entry: broken }),
      finding(frozen?.detail.content_sha256 === contentSha256 ? 'content_as_sent' : 'content_not_as_sent'),
      ...(missing === undefined ? [] : [finding('signature_not_in_trail', { recipient: missing.name })]),
      ...(mode === 'test' ? [finding('test_mode')] : []),
    ],
    document: {
      id: content.id,
      title: content.title,
      type: content.type,
      mode,
      contentSha256,
      auditEntries: trail.length,
      auditHead: head,
      file: null,
    },
    recipients,
    sentAt: timeOf(sent?.at),
    entries: trail,
  };
}

function modeOf(value: unknown): DocumentFacts['mode'] {
  return value === 'live' || value === 'test' ? value : null;
}

function timeOf(text: string | undefined): Date | null {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? null : time;
}

function recipientFacts(
  { id, name, kind, role }: Content['recipients'][number],
  trail: ChainedEntry[],
): RecipientFacts {
  // Entries before the last reassignment belong to the former recipient.
  const since = trail.findLastIndex(({ action, detail }) => action === 'reassigned' && detail.recipient_id === id);
  const held = trail.slice(since + 1);
  const own = (action: string) =>
    held.find((entry) => entry.actor === recipientActor(id) && entry.action === action) ?? null;
  const requested = held.find(({ action, detail }) => action === 'requested' && detail.recipient_id === id);
  const signed = own(kind === 'approver' ? 'approved' : 'signed');
  return {
    id,
    name,
    kind,
    role,
    channel: textOrNull(requested?.detail.channel),
    authLevel: textOrNull(signed?.detail.auth_level),
    viewedAt: own('viewed')?.at ?? null,
    signedAt: signed?.at ?? null,
    method: textOrNull(signed?.detail.method),
    attestation: null,
  };
}

function readContent(file: Buffer): Content {
  const { id, title, type, parties } = asObject(JSON.parse(file.toString()));
  if (asArray(parties).length > partiesMax) throw new Error('too many parties');
  return {
    id: asText(id),
    title: asText(title),
    type: asText(type),
    recipients: asArray(parties).map((item) => {
      const recipient = asObject(item);
      return {
        id: asText(recipient.id),
        name: asText(recipient.name),
        kind: asText(recipient.kind),
        role: textOrNull(recipient.role),
      };
    }),
  };
}

function readTrail(file: Buffer): ChainedEntry[] {
  return asArray(JSON.parse(file.toString())).map((item) => {
    const entry = asObject(item);
    return {
      seq: Number(entry.seq),
      at: asText(entry.at),
      actor: asText(entry.actor) as ChainedEntry['actor'],
      action: asText(entry.action) as ChainedEntry['action'],
      detail: asObject(entry.detail),
      previousHash: Buffer.from(asText(entry.previous_hash), 'hex'),
      hash: Buffer.from(asText(entry.hash), 'hex'),
    };
  });
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
