import { createHash } from 'node:crypto';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { readSigningSettings } from '../accounts/signing-settings.ts';
import { readActor } from '../actor.ts';
import { readLogo } from '../branding/logo.ts';
import { type Attachment, readAttachment } from '../documents/attachment.ts';
import { listAttestations, type StoredAttestation } from '../documents/attestations.ts';
import { type ChainedEntry, readAudit } from '../documents/audit.ts';
import { contentOf } from '../documents/content.ts';
import type { Document } from '../documents/document.ts';
import { type DocumentPart, readParts } from '../documents/document-part.ts';
import { fullLabel, writtenValue } from '../documents/field.ts';
import type { FieldType } from '../documents/field-types.ts';
import { type Opening, openDetail, saltedHash } from '../documents/hidden-details.ts';
import { listRecipients } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import { findPerson } from '../identity/people.ts';
import type { Language } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { SealDisclosure, SealField, SealFile, SealInput } from '../sealing/seal-input.ts';
import { consentStatement, disclosureSha256, findDisclosure } from './disclosure.ts';
import { contactOpenings, mannerOf, type Shown, type SignatureRow, sealRecipientOf } from './seal-recipient.ts';
import { signedValues } from './signed-values.ts';

/**
 * Loads what the sealed PDF of a completed document shows. Throws if that differs from what was sent and signed. `isComplete`:
 * for the company's own certificate, which shows everything and has the salts of what the sealed PDF hides.
 */
export async function loadSealInput(
  world: World,
  db: Queryable,
  document: Document,
  verifyAddress: string,
  isComplete = false,
): Promise<SealInput> {
  // Before the trail, which then has the entry of each, also of one that is made meanwhile.
  const attestations = await listAttestations(db, document);
  const [recipients, signatures, trail, accountName, logo, attachment, parts, acceptedAt, settings] = await Promise.all(
    [
      listRecipients(db, document.account_id, document.id),
      readSignatures(db, document),
      readAudit(db, document.account_id, document.id),
      readAccountName(db, document.account_id),
      readLogo(db, document.account_id),
      readAttachment(db, document.account_id, document.id),
      readParts(db, document.account_id, document.id),
      readAcceptedAt(db, document),
      readSigningSettings(db, document.account_id),
    ],
  );
  const content = contentOf(document, recipients, attachment);
  const contentSha256 = createHash('sha256').update(content).digest('hex');
  // The digest was fixed when the document was sent.
  if (contentSha256 !== document.content_sha256?.toString('hex')) {
    throw new Error(`the content of document ${document.id} is not what was sent`);
  }
  const values = attachment && signedValues(attachment, trail);
  const shown = isComplete ? everything : shownToAll(document);
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
      file: attachment && fileOf(attachment, parts, document),
    },
    fields: attachment === null ? [] : filledFields(attachment, document.primary_language),
    disclosures: acceptedDisclosures(document, trail),
    recipients: recipients.map((recipient) => ({
      ...sealRecipientOf(recipient, signatures.get(recipient.id), trail, shown),
      acceptedAt: acceptedAt.get(recipient.id) ?? null,
    })),
    hidesDevices: !shown.devices,
    isComplete,
    audit: trail.map((entry) => auditLine(isComplete ? { ...entry, detail: openDetail(entry) } : entry)),
    attachments: isComplete
      ? [openingsFile(document, recipients, signatures, trail)]
      : [
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

const everything: Shown = { contacts: 'full', devices: true };

/** Returns what the company had chosen when the document was sent. Earlier documents mask contact details and show devices. */
function shownToAll({ masks_contacts, shows_devices }: Document): Shown {
  return { contacts: masks_contacts === false ? 'full' : 'masked', devices: shows_devices !== false };
}

/** Returns the texts behind the salted hashes in the sealed PDF, with their salts. */
function openingsFile(
  { primary_language: language }: Document,
  recipients: readonly Recipient[],
  signatures: ReadonlyMap<string, SignatureRow>,
  trail: readonly ChainedEntry[],
) {
  const contacts = recipients.flatMap((recipient) =>
    contactOpenings(recipient, signatures.get(recipient.id)).map(([detail, opening]) =>
      openingJson({ recipient_id: recipient.id }, detail, opening),
    ),
  );
  const details = trail.flatMap(({ seq, openings }) =>
    Object.entries(openings ?? {}).map(([detail, opening]) => openingJson({ entry: seq }, detail, opening)),
  );
  return embedded('openings.json', descriptions.openings[language], JSON.stringify([...contacts, ...details]));
}

function openingJson(place: { recipient_id: string } | { entry: number }, detail: string, opening: Opening) {
  return { ...place, detail, ...opening, sha256: saltedHash(opening) };
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
  openings: {
    en: 'What the sealed PDF has only hashes of, with the salt of each hash.',
    es: 'Lo que el PDF sellado solo tiene como hash, con la sal de cada hash.',
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

async function readSignatures(db: Queryable, document: Document): Promise<Map<string, SignatureRow>> {
  const rows = await db.query<SignatureRow>({
    name: 'read_signatures',
    text: `select id, signature_name, signature_png, initials_text, initials_png, stamp_png, signed_ip, signed_user_agent,
             contact_salt
           from recipients where account_id = $1 and document_id = $2`,
    values: [document.account_id, document.id],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

function fileOf({ file }: Attachment, parts: readonly DocumentPart[], { seal_embeds_file }: Document): SealFile {
  const sha256 = file.sha256.toString('hex');
  return {
    ...{ name: file.name, sha256, pageCount: file.page_count, isEmbedded: seal_embeds_file },
    ...(parts.length > 0 && {
      parts: parts.map((part) => ({
        ...{ name: part.name, sha256: part.sha256.toString('hex') },
        ...{ firstPage: part.first_page, pageCount: part.page_count },
      })),
    }),
  };
}

/** Types that the sealed PDF draws like another one. */
const drawnAs: Partial<Record<FieldType, SealField['type']>> = {
  number: 'text',
  dropdown: 'text',
  radio: 'checkbox',
  upload: 'text',
};

/** Returns the fields whose values were signed, as they are drawn. Values that were only saved don't count. */
function filledFields({ fields }: Attachment, language: Language): SealField[] {
  const writing = { numbers: language, language };
  return fields.flatMap((field) => {
    const { recipient_id, type, page, x, y, width, height, value, filled_at } = field;
    if (filled_at === null || value === null) return [];
    const label = fullLabel(field);
    const drawn = drawnAs[type] ?? (type as SealField['type']);
    const written = writtenValue(field, value, writing);
    return [{ recipientId: recipient_id, type: drawn, page, x, y, width, height, label, value: written }];
  });
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
