import { createHash } from 'node:crypto';
import { recipientActor } from '../actor.ts';
import type { ChainedEntry } from '../documents/audit.ts';
import type { OpenedPdf } from '../pdf/reading/open-pdf.ts';
import { readSignedData, type SignedData, signatureHolds } from '../pdf/reading/signed-data.ts';
import { over, readTimeStamp, type TimeStamp, timeStampAttribute } from '../pdf/reading/time-stamp.ts';
import { examineValidity } from './examine-seal.ts';
import { judgeStamp, type Trust } from './examine-stamps.ts';
import { type Finding, finding } from './findings.ts';
import { asArray, asObject, asText } from './json-values.ts';
import { type AttestationFacts, timeStampFacts } from './report.ts';

/** Name of an embedded file. Sealing writes it in `signing/load-seal-input.ts`. */
const attestationsFile = 'attestations.json';
const fileBytesMax = 16 * 2 ** 20;
/** Far more than a document has recipients. */
const actsMax = 1000;

/** What the attestations are compared with. */
export interface AttestedTrail {
  entries: readonly ChainedEntry[];
  recipients: ReadonlyArray<{ id: string; name: string }>;
  attachment: OpenedPdf['attachment'];
  /** Certificates (DER) of this service. */
  certificates: readonly Uint8Array[];
}

/**
 * Checks the service's signatures over the audit entries of what recipients did: each one against the `attested` entry that
 * names it, over the hash of the entry in this trail, by a certificate of the service, with its time-stamp. Returns the facts
 * of those that are confirmed, by recipient. Documents from before the service made them have none, and get no finding.
 */
export async function examineAttestations(
  trail: AttestedTrail,
  trust: Trust,
): Promise<{ findings: Finding[]; facts: Map<string, AttestationFacts> }> {
  const facts = new Map<string, AttestationFacts>();
  const recorded = trail.entries.filter(({ action }) => action === 'attested');
  const file = trail.attachment(attestationsFile);
  if (recorded.length === 0 && file === null) return { findings: [], facts };
  const embedded = file === null ? new Map<number, Buffer>() : readFile(file);
  if (embedded === null) return { findings: [finding('attestations_unreadable')], facts };

  if (recorded.length > actsMax || embedded.size > actsMax)
    return { findings: [finding('attestations_unreadable')], facts };

  const findings: Finding[] = [];
  const bySeq = new Map(trail.entries.map((entry) => [entry.seq, entry]));
  for (const { detail } of recorded) {
    const act = bySeq.get(Number(detail.entry));
    const recipient = nameOf(trail, `recipient:${detail.recipient_id}`);
    const cms = embedded.get(Number(detail.entry));
    if (cms === undefined) {
      findings.push(finding('attestation_missing', { recipient }));
      continue;
    }
    const read = act === undefined ? null : readAttestation(cms, act, detail);
    if (act === undefined || read === null) {
      findings.push(finding('attestation_not_valid', { recipient }));
      continue;
    }
    const { signed, timeStamp, token } = read;
    if (!trail.certificates.some((der) => signed.signer?.raw.equals(der))) {
      findings.push(finding('attestation_certificate_unknown', { recipient }));
      continue;
    }
    const judged = timeStamp && (await judgeStamp(token, timeStamp, new Date(act.at), trust));
    const stamp = timeStamp && timeStampFacts(timeStamp);
    // One that has ended needs no finding of its own: those of the seal and the file have ended too.
    if (stamp !== null && judged === 'untrusted')
      findings.push(finding('act_time_stamp_unverified', { recipient, ...stamp }));
    facts.set(String(detail.recipient_id), {
      at: signed.signingTime?.toISOString() ?? null,
      timeStamp: stamp && { ...stamp, isVerified: judged === 'trusted' },
    });
  }
  for (const entry of embedded.keys()) {
    if (recorded.some(({ detail }) => detail.entry === entry)) continue;
    const act = bySeq.get(entry);
    findings.push(finding('attestation_not_valid', { recipient: nameOf(trail, act?.actor ?? '') }));
  }
  const stamped = [...facts.values()].filter(({ timeStamp }) => timeStamp?.isVerified);
  return {
    findings: [
      ...(facts.size === 0 ? [] : [finding('acts_attested', { acts: facts.size })]),
      ...(stamped.length === 0 ? [] : [finding('acts_time_stamped', { acts: stamped.length })]),
      ...findings,
    ],
    facts,
  };
}

function nameOf({ recipients }: AttestedTrail, actor: string): string {
  return recipients.find(({ id }) => actor === recipientActor(id))?.name ?? actor;
}

const acts = ['signed', 'approved', 'declined'];

interface ReadAttestation {
  signed: SignedData;
  timeStamp: TimeStamp | null;
  token: Buffer;
}

/** Reads an attestation. Returns null when it is not the recorded one, or does not hold for this act. */
function readAttestation(cms: Buffer, act: ChainedEntry, detail: ChainedEntry['detail']): ReadAttestation | null {
  const hash = act.hash.toString('hex');
  const isOfAct = acts.includes(act.action) && act.actor === `recipient:${detail.recipient_id}`;
  const isRecorded = createHash('sha256').update(cms).digest('hex') === detail.sha256;
  if (!isOfAct || !isRecorded || detail.entry_hash !== hash) return null;
  try {
    const signed = readSignedData(cms);
    const token = signed.unsignedAttributes.get(timeStampAttribute)?.raw ?? null;
    const timeStamp = token === null ? null : readTimeStamp(token, over(signed.signature));
    const holds =
      signed.content === null &&
      signed.contentType === idData &&
      signatureHolds(signed) &&
      createHash(signed.digest).update(hash).digest().equals(signed.messageDigest) &&
      signed.signer !== null &&
      examineValidity(signed.signer, signed.signingTime).id === 'certificate_in_validity';
    return holds ? { signed, timeStamp, token: token ?? Buffer.alloc(0) } : null;
  } catch {
    return null;
  }
}

const idData = '1.2.840.113549.1.7.1';

/** Reads the embedded attestations, by the number of the audit entry. Returns null when they cannot be read. */
function readFile(file: Buffer): Map<number, Buffer> | null {
  if (file.length > fileBytesMax) return null;
  try {
    const read = asArray(JSON.parse(file.toString())).map((item) => {
      const { entry, cms } = asObject(item);
      if (!Number.isSafeInteger(entry)) throw new Error('not a number of an entry');
      return [Number(entry), Buffer.from(asText(cms), 'base64')] as const;
    });
    return new Map(read);
  } catch {
    return null;
  }
}
