import { readActor } from '../../actor.ts';
import type { FileFacts } from '../file-facts.ts';
import type { SealAuditEntry, SealInput, SealRecipient } from '../seal-input.ts';

/** Whether the certificate has a detail of an entry above the trail, with the same value. */
export type IsPrinted = (entry: SealAuditEntry, name: string, value: unknown) => boolean;

/**
 * Finds details that the certificate prints with the document, its file or a recipient. The trail leaves them out, so that it
 * is short. Another value, such as an IP address from which the recipient only viewed the document, is printed in the trail.
 */
export function printedDetails(input: SealInput, facts: FileFacts | null): IsPrinted {
  const { document, recipients, disclosures, language } = input;
  const recipientOf = ({ actor, detail }: SealAuditEntry): SealRecipient | undefined => {
    const { kind, id } = readActor(actor);
    const named = kind === 'recipient' ? id : (detail as { recipient_id?: unknown } | null)?.recipient_id;
    return recipients.find((recipient) => recipient.id === named);
  };
  return (entry, name, value) => {
    if (entry.action === 'attached') return isOfFile(facts, name, value);
    // The number of the entry is enough: it is printed with its hash, and attestations.json has the signature.
    if (entry.action === 'attested' && ['recipient_id', 'entry_hash', 'sha256'].includes(name)) return true;
    if (name === 'content_sha256') return value === document.contentSha256;
    const recipient = recipientOf(entry);
    if (recipient === undefined) return false;
    if (name === 'files') return (recipient.files ?? []).length > 0;
    if (entry.action === 'consented') {
      if (name === 'language') return value === language;
      if (name === 'disclosure_sha256') return disclosures.some(({ sha256 }) => sha256 === value);
    }
    return printedOf(recipient, name) === value;
  };
}

function isOfFile(facts: FileFacts | null, name: string, value: unknown): boolean {
  if (facts === null) return false;
  const { sha256, bytes } = facts.before;
  return { name: facts.name, sha256, bytes }[name] === value;
}

/** Returns what the certificate prints about a recipient, by the name of the detail. */
function printedOf(recipient: SealRecipient, name: string): unknown {
  const { verification, consent, kind, attestation } = recipient;
  const printed: Record<string, unknown> = {
    name: recipient.name,
    signed_as: recipient.name,
    channel: recipient.channel,
    auth_level: recipient.authLevel,
    method: kind === 'approver' ? 'approval' : (recipient.method ?? undefined),
    saved: recipient.isSaved === true ? 'signature' : undefined,
    signature_sha256: recipient.pictureSha256 ?? undefined,
    stamp_sha256: recipient.stampSha256 ?? undefined,
    number_ending: verification?.numberEnding,
    disclosure: consent?.disclosure,
    how: consent?.how ?? undefined,
    ip: recipient.ip ?? undefined,
    user_agent: recipient.userAgent ?? undefined,
    time_stamp: attestation?.timeStamp?.at,
    authority: attestation?.timeStamp?.authority,
  };
  return printed[name];
}
