import { createHash } from 'node:crypto';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { readSigningSettings } from '../accounts/signing-settings.ts';
import { readActor, recipientActor } from '../actor.ts';
import { readLogo } from '../branding/logo.ts';
import { type Attachment, readAttachment } from '../documents/attachment.ts';
import { listAttestations, type StoredAttestation } from '../documents/attestations.ts';
import { type AuditAction, type ChainedEntry, readAudit } from '../documents/audit.ts';
import { contentOf } from '../documents/content.ts';
import type { Document } from '../documents/document.ts';
import { fullLabel, writtenValue } from '../documents/field.ts';
import type { FieldType } from '../documents/field-types.ts';
import { listRecipients } from '../documents/queries.ts';
import { type Recipient, recipientKind } from '../documents/recipient.ts';
import { findPerson } from '../identity/people.ts';
import type { Signature } from '../pdf/drawing/signature-mark.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { SealDisclosure, SealField, SealFile, SealInput, SealRecipient } from '../sealing/seal-input.ts';
import { type ConsentManner, consentStatement, disclosureSha256, findDisclosure } from './disclosure.ts';
import { maskedEmail, maskedPhone } from './masked-contact.ts';
import { signedValues } from './signed-values.ts';

interface SignatureRow {
  id: string;
  signature_name: string | null;
  signature_png: Buffer | null;
  initials_text: string | null;
  initials_png: Buffer | null;
  signed_ip: string | null;
  signed_user_agent: string | null;
}

/** Loads what the sealed PDF of a completed document shows. Throws if that differs from what was sent and signed. */
export async function loadSealInput(
  world: World,
  db: Queryable,
  document: Document,
  verifyAddress: string,
): Promise<SealInput> {
  // Before the trail, which then has the entry of each, also of one that is made meanwhile.
  const attestations = await listAttestations(db, document);
  const [recipients, signatures, trail, accountName, logo, attachment, acceptedAt, settings] = await Promise.all([
    listRecipients(db, document.account_id, document.id),
    readSignatures(db, document),
    readAudit(db, document.account_id, document.id),
    readAccountName(db, document.account_id),
    readLogo(db, document.account_id),
    readAttachment(db, document.account_id, document.id),
    readAcceptedAt(db, document),
    readSigningSettings(db, document.account_id),
  ]);
  const content = contentOf(document, recipients, attachment);
  const contentSha256 = createHash('sha256').update(content).digest('hex');
  // The digest was fixed when the document was sent.
  if (contentSha256 !== document.content_sha256?.toString('hex')) {
    throw new Error(`the content of document ${document.id} is not what was sent`);
  }
  const values = attachment && signedValues(attachment, trail);
  return {
    language: document.primary_language,
    accountName,
    logo: logo && { type: logo.type, bytes: logo.bytes.toString('base64') },
    senderEmail: await readSenderEmail(db, trail),
    verifyAddress,
    document: {
      id: document.id,
      title: document.title,
      type: document.type,
      message: document.message,
      isTest: document.sent_mode === 'test',
      printsId: settings.prints_document_id,
      createdAt: document.created_at,
      sentAt: document.sent_at as Timestamp,
      completedAt: document.completed_at as Timestamp,
      contentSha256,
      file: attachment && fileOf(attachment, document),
    },
    fields: attachment === null ? [] : filledFields(attachment, document.primary_language),
    disclosures: acceptedDisclosures(document, trail),
    recipients: recipients.map((recipient) => ({
      ...sealRecipientOf(recipient, signatures.get(recipient.id), trail),
      acceptedAt: acceptedAt.get(recipient.id) ?? null,
    })),
    audit: trail.map(auditLine),
    attachments: [
      embedded('content.json', descriptions.content[document.primary_language], content),
      embedded('audit.json', descriptions.audit[document.primary_language], JSON.stringify(trail.map(auditProof))),
      ...(values === null
        ? []
        : [embedded('values.json', descriptions.values[document.primary_language], JSON.stringify(values))]),
      ...(attestations.length === 0
        ? []
        : [
            embedded(
              'attestations.json',
              descriptions.attestations[document.primary_language],
              JSON.stringify(attestations.map((one) => attestationJson(one, trail))),
            ),
          ]),
    ],
    signingTime: world.clock.now().toISOString(),
  };
}

const descriptions = {
  content: {
    en: 'What was signed. Its SHA-256 is printed on the certificate.',
    es: 'Lo que se firmó. Su SHA-256 figura en el certificado.',
  },
  audit: {
    en: 'The audit trail, each entry chained to the one before.',
    es: 'El registro de auditoría, cada entrada encadenada a la anterior.',
  },
  values: {
    en: 'The values that each recipient filled in. Their SHA-256 is in the audit trail, with the signature.',
    es: 'Los valores que rellenó cada destinatario. Su SHA-256 está en el registro de auditoría, con la firma.',
  },
  attestations: {
    en: 'The signature of this service over the audit entry of each act.',
    es: 'La firma de este servicio sobre la entrada de auditoría de cada acto.',
  },
};

/** Throws if the attestation is not the one in the audit trail. */
function attestationJson({ entry, recipient_id, cms }: StoredAttestation, trail: readonly ChainedEntry[]) {
  const sha256 = createHash('sha256').update(cms).digest('hex');
  const isRecorded = trail.some(
    ({ action, detail }) => action === 'attested' && detail.entry === entry && detail.sha256 === sha256,
  );
  if (!isRecorded) throw new Error(`the attestation of audit entry ${entry} is not the one that was recorded`);
  return { recipient_id, entry, cms: cms.toString('base64') };
}

/** Returns when the first request to each recipient was accepted for delivery. */
async function readAcceptedAt(db: Queryable, document: Document): Promise<Map<string, Timestamp>> {
  const rows = await db.query<{ recipient_id: string; accepted_at: Timestamp }>({
    name: 'read_accepted_requests',
    text: `select recipient_id, min(settled_at) as accepted_at
           from messages m
           join recipients r on r.account_id = m.account_id and r.id = m.recipient_id and r.holder = m.holder
           where m.account_id = $1 and m.document_id = $2 and m.kind = 'signature_request' and m.status = 'accepted'
           group by recipient_id`,
    values: [document.account_id, document.id],
  });
  return new Map(rows.map(({ recipient_id, accepted_at }) => [recipient_id, accepted_at]));
}

/** Returns the address of the member who sent the document. Null when an API key or an operator sent it. */
async function readSenderEmail(db: Queryable, trail: readonly ChainedEntry[]): Promise<string | null> {
  const { kind, id } = readActor(trail.findLast(({ action }) => action === 'sent')?.actor ?? 'service');
  return kind === 'person' && id !== null ? ((await findPerson(db, id))?.email ?? null) : null;
}

/**
 * Returns the disclosures that were accepted, each once, in the version and the language that were shown. Throws if a text is
 * not the one that was accepted.
 */
function acceptedDisclosures(document: Document, trail: readonly ChainedEntry[]): SealDisclosure[] {
  const accepted = new Map<string, SealDisclosure>();
  for (const { action, detail } of trail) {
    if (action !== 'consented') continue;
    const version = String(detail.disclosure);
    const language = detail.language as Language;
    const text = findDisclosure(version, language, document);
    if (text === null) continue;
    const how = mannerOf(detail);
    const sha256 = how === null ? null : disclosureSha256(text, language, how);
    if (how !== null && detail.disclosure_sha256 !== sha256) {
      throw new Error(`the disclosure of document ${document.id} is not what was accepted`);
    }
    const statement = how === 'ticked' ? consentStatement[language] : null;
    accepted.set(`${version} ${language} ${sha256}`, { version, ...text, statement, sha256 });
  }
  return [...accepted.values()];
}

/** Returns how a recipient agreed. Early versions did not record it. */
function mannerOf({ how }: ChainedEntry['detail']): ConsentManner | null {
  return how === 'ticked' || how === 'signing' ? how : null;
}

async function readSignatures(db: Queryable, document: Document): Promise<Map<string, SignatureRow>> {
  const rows = await db.query<SignatureRow>({
    name: 'read_signatures',
    text: `select id, signature_name, signature_png, initials_text, initials_png, signed_ip, signed_user_agent
           from recipients where account_id = $1 and document_id = $2`,
    values: [document.account_id, document.id],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

function fileOf({ file }: Attachment, { seal_embeds_file }: Document): SealFile {
  const sha256 = file.sha256.toString('hex');
  return { name: file.name, sha256, pageCount: file.page_count, isEmbedded: seal_embeds_file };
}

/** Types that the sealed PDF draws like another one. */
const drawnAs: Partial<Record<FieldType, SealField['type']>> = { number: 'text', dropdown: 'text', radio: 'checkbox' };

/** Returns the fields whose values were signed, as they are drawn. Values that were only saved don't count. */
function filledFields({ fields }: Attachment, language: Language): SealField[] {
  return fields.flatMap((field) => {
    const { recipient_id, type, page, x, y, width, height, value, filled_at } = field;
    if (filled_at === null || value === null) return [];
    const label = fullLabel(field);
    const drawn = drawnAs[type] ?? (type as SealField['type']);
    const written = writtenValue(type, value, language);
    return [{ recipientId: recipient_id, type: drawn, page, x, y, width, height, label, value: written }];
  });
}

/** Whether the person who signed, and not someone before them, opened the link in the console. */
function isOpenedInAccount({ id }: Recipient, trail: readonly ChainedEntry[]): boolean {
  const own = trail.filter(({ detail }) => detail.recipient_id === id);
  const since = own.findLastIndex(({ action }) => action === 'reassigned') + 1;
  return own.slice(since).some(({ action, detail }) => action === 'link_shown' && detail.in_account === true);
}

function sealRecipientOf(
  recipient: Recipient,
  signature: SignatureRow | undefined,
  trail: readonly ChainedEntry[],
): Omit<SealRecipient, 'acceptedAt'> {
  return {
    id: recipient.id,
    name: recipient.display_name,
    role: recipient.party_role,
    kind: recipientKind(recipient),
    email: recipient.email && maskedEmail(recipient.email),
    phone: recipient.phone && maskedPhone(recipient.phone),
    channel: recipient.channel,
    authLevel: recipient.auth_level,
    sentAt: recipient.sent_at,
    viewedAt: recipient.viewed_at,
    signedAt: recipient.signed_at,
    ip: signature?.signed_ip ?? null,
    userAgent: signature?.signed_user_agent ?? null,
    isOpenedInAccount: isOpenedInAccount(recipient, trail),
    ...evidenceOf(recipient, signature, trail),
    attestation: attestationOf(recipient, trail),
    signature: drawnOrTyped(signature?.signature_name, signature?.signature_png),
    initials: drawnOrTyped(signature?.initials_text, signature?.initials_png),
  };
}

/**
 * Returns what the audit trail says about a signature: the last verification and the consent before it, and how it was made.
 * Throws if the picture is not the one that was signed with.
 */
function evidenceOf(
  { id, signed_at }: Recipient,
  signature: SignatureRow | undefined,
  trail: readonly ChainedEntry[],
): Pick<SealRecipient, 'verification' | 'consent' | 'method' | 'pictureSha256'> {
  // What an earlier person proved says nothing about the one who signed.
  const reassigned = trail.findLast(({ action, detail }) => action === 'reassigned' && detail.recipient_id === id);
  const before = trail.filter(
    ({ actor, at, seq }) =>
      actor === recipientActor(id) && signed_at !== null && at <= signed_at && seq > (reassigned?.seq ?? 0),
  );
  const last = (action: AuditAction) => before.findLast((entry) => entry.action === action);
  const verified = last('verified');
  const consented = last('consented');
  const signed = last('signed')?.detail;
  assertOwnPicture(id, signature?.signature_png, signed?.signature_sha256);
  assertOwnPicture(id, signature?.initials_png, signed?.initials_sha256);
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
    pictureSha256: signed?.signature_sha256 === undefined ? null : String(signed.signature_sha256),
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

function auditLine(entry: ChainedEntry): SealInput['audit'][number] {
  return {
    seq: entry.seq,
    at: entry.at,
    actor: entry.actor,
    action: entry.action,
    detail: entry.detail,
    hash: entry.hash.toString('hex'),
  };
}

function auditProof(entry: ChainedEntry) {
  return { ...auditLine(entry), previous_hash: entry.previousHash.toString('hex') };
}

function embedded(name: string, description: string, json: string): SealInput['attachments'][number] {
  return { name, mediaType: 'application/json', description, bytes: Buffer.from(json).toString('base64') };
}
