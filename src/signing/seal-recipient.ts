import { createHash } from 'node:crypto';
import { recipientActor } from '../actor.ts';
import type { AuditAction, ChainedEntry } from '../documents/audit.ts';
import { contactOpening, type Opening, saltedHash } from '../documents/hidden-details.ts';
import { type Recipient, recipientKind } from '../documents/recipient.ts';
import type { Signature } from '../pdf/drawing/signature-mark.ts';
import type { SealRecipient } from '../sealing/seal-input.ts';
import type { ConsentManner } from './disclosure.ts';
import { maskedEmail, maskedPhone } from './masked-contact.ts';

/** What the certificate of completion shows about a recipient. */

/** The columns of a recipient that only sealing reads. */
export interface SignatureRow {
  id: string;
  signature_name: string | null;
  signature_png: Buffer | null;
  initials_text: string | null;
  initials_png: Buffer | null;
  stamp_png: Buffer | null;
  signed_ip: string | null;
  signed_user_agent: string | null;
  contact_salt: Buffer | null;
}

/** What a certificate shows. The sealed PDF shows what the company chose, because every recipient gets it. */
export interface Shown {
  contacts: 'full' | 'masked';
  devices: boolean;
}

/** Returns what a certificate shows about a recipient. Throws if a picture is not the one that was signed with. */
export function sealRecipientOf(
  recipient: Recipient,
  signature: SignatureRow | undefined,
  trail: readonly ChainedEntry[],
  shown: Shown,
): Omit<SealRecipient, 'acceptedAt'> {
  return {
    id: recipient.id,
    name: recipient.display_name,
    role: recipient.party_role,
    kind: recipientKind(recipient),
    ...contactsOf(recipient, signature, shown),
    channel: recipient.channel,
    authLevel: recipient.auth_level,
    sentAt: recipient.sent_at,
    viewedAt: recipient.viewed_at,
    signedAt: recipient.signed_at,
    ip: (shown.devices && signature?.signed_ip) || null,
    userAgent: (shown.devices && signature?.signed_user_agent) || null,
    isOpenedInAccount: isOpenedInAccount(recipient, trail),
    ...evidenceOf(recipient, signature, trail),
    attestation: attestationOf(recipient, trail),
    signature: drawnOrTyped(signature?.signature_name, signature?.signature_png),
    initials: drawnOrTyped(signature?.initials_text, signature?.initials_png),
    stamp: signature?.stamp_png?.toString('base64') ?? null,
  };
}

/** Returns what opens the hashes of masked contact details. Empty when they are not masked with a hash. */
export function contactOpenings(
  { email, phone }: Pick<Recipient, 'email' | 'phone'>,
  signature: SignatureRow | undefined,
): Array<['email' | 'phone', Opening]> {
  const salt = signature?.contact_salt;
  if (!salt) return [];
  return [
    ...(email ? [['email', contactOpening(salt, 'email', email)] as ['email', Opening]] : []),
    ...(phone ? [['phone', contactOpening(salt, 'phone', phone)] as ['phone', Opening]] : []),
  ];
}

/** Returns the address and the number as they are printed, with the hashes that can be opened. */
function contactsOf(
  { email, phone }: Recipient,
  signature: SignatureRow | undefined,
  { contacts }: Shown,
): Pick<SealRecipient, 'email' | 'phone' | 'emailHash' | 'phoneHash'> {
  const openings = Object.fromEntries(contactOpenings({ email, phone }, signature));
  const hashes = {
    emailHash: openings.email ? saltedHash(openings.email) : null,
    phoneHash: openings.phone ? saltedHash(openings.phone) : null,
  };
  if (contacts === 'full') return { email, phone, ...hashes };
  return { email: email && maskedEmail(email), phone: phone && maskedPhone(phone), ...hashes };
}

/** Whether the person who signed, and not someone before them, opened the link in the console. */
function isOpenedInAccount({ id }: Recipient, trail: readonly ChainedEntry[]): boolean {
  const own = trail.filter(({ detail }) => detail.recipient_id === id);
  const since = own.findLastIndex(({ action }) => action === 'reassigned') + 1;
  return own.slice(since).some(({ action, detail }) => action === 'link_shown' && detail.in_account === true);
}

/**
 * Returns what the audit trail says about a signature: the last verification and the consent before it, and how it was made.
 * Throws if the picture is not the one that was signed with.
 */
function evidenceOf(
  { id }: Recipient,
  signature: SignatureRow | undefined,
  trail: readonly ChainedEntry[],
): Pick<SealRecipient, 'verification' | 'consent' | 'method' | 'isSaved' | 'pictureSha256' | 'stampSha256' | 'files'> {
  // What an earlier person proved says nothing about the one who signed.
  const reassigned = trail.findLast(({ action, detail }) => action === 'reassigned' && detail.recipient_id === id);
  const own = trail.filter(({ actor, seq }) => actor === recipientActor(id) && seq > (reassigned?.seq ?? 0));
  // By the order of the entries: their times may come from several machines, whose clocks differ.
  const before = own.slice(0, own.findLastIndex(({ action }) => action === 'signed' || action === 'approved') + 1);
  const last = (action: AuditAction) => before.findLast((entry) => entry.action === action);
  const verified = last('verified');
  const consented = last('consented');
  const signed = last('signed')?.detail;
  const act = signed ?? last('approved')?.detail;
  assertOwnPicture(id, signature?.signature_png, signed?.signature_sha256);
  assertOwnPicture(id, signature?.initials_png, signed?.initials_sha256);
  assertOwnPicture(id, signature?.stamp_png, signed?.stamp_sha256);
  return {
    verification: verified
      ? {
          channel: verified.detail.channel as 'sms' | 'page' | 'email',
          numberEnding: String(verified.detail.number_ending ?? ''),
          at: verified.at,
          // Codes of a public link are tried before its document exists.
          wrongCodes:
            before.filter(({ action }) => action === 'verification_failed').length +
            Number(verified.detail.failed_tries ?? 0),
        }
      : null,
    consent: consented
      ? { disclosure: String(consented.detail.disclosure), at: consented.at, how: mannerOf(consented.detail) }
      : null,
    method: methodOf(signed),
    ...(isSaved(signed) ? { isSaved: true } : {}),
    pictureSha256: signed?.signature_sha256 === undefined ? null : String(signed.signature_sha256),
    stampSha256: signed?.stamp_sha256 === undefined ? null : String(signed.stamp_sha256),
    files: (act?.files ?? []) as NonNullable<SealRecipient['files']>,
  };
}

/** Returns what the trail says about the service's signature over the recipient's act. Null when there is none. */
function attestationOf({ id }: Recipient, trail: readonly ChainedEntry[]) {
  const entry = trail.findLast(({ action, detail }) => action === 'attested' && detail.recipient_id === id);
  if (entry === undefined) return null;
  const { time_stamp: at, authority } = entry.detail;
  return { timeStamp: at === undefined ? null : { at: String(at), authority: String(authority) } };
}

/** Early versions recorded uploaded pictures as drawn, without their hash. */
function methodOf(signed: ChainedEntry['detail'] | undefined): SealRecipient['method'] {
  if (signed === undefined) return null;
  if (signed.method === 'typed' || signed.method === 'uploaded') return signed.method;
  return signed.signature_sha256 === undefined ? 'unknown' : 'drawn';
}

function isSaved(signed: ChainedEntry['detail'] | undefined): boolean {
  return signed?.saved === 'signature' || signed?.saved === 'signature_and_initials';
}

function assertOwnPicture(recipientId: string, png: Buffer | null | undefined, sha256: unknown): void {
  if (sha256 === undefined) return;
  if (
    createHash('sha256')
      .update(png ?? '')
      .digest('hex') !== sha256
  ) {
    throw new Error(`the signature of recipient ${recipientId} is not what was signed`);
  }
}

/** Returns the drawing if there is one, else the typed text. Initials have only one of the two. */
function drawnOrTyped(text: string | null | undefined, png: Buffer | null | undefined): Signature | null {
  if (png) return { kind: 'drawn', png: png.toString('base64') };
  return text ? { kind: 'typed', text } : null;
}

/** Returns how a recipient agreed. Early versions did not record it. */
export function mannerOf({ how }: ChainedEntry['detail']): ConsentManner | null {
  return how === 'ticked' || how === 'signing' ? how : null;
}
