import { createHash } from 'node:crypto';
import { recipientActor } from '../actor.ts';
import { readAttachment } from '../documents/attachment.ts';
import { recordAct } from '../documents/attestations.ts';
import { appendAudit } from '../documents/audit.ts';
import type { Document } from '../documents/document.ts';
import { eventDocument } from '../documents/event-document.ts';
import type { Field } from '../documents/field.ts';
import { dropPendingFiles, type FieldFile, listFieldFiles, signFieldFiles } from '../documents/field-file.ts';
import { notifySender } from '../documents/notify-sender.ts';
import { isDone, isSigner, type Recipient, recipientKind } from '../documents/recipient.ts';
import { requestNextSignatures } from '../documents/send-document.ts';
import { cancelMessagesTo } from '../messages/enqueue-messages.ts';
import type { JobQueue } from '../messages/job-queue.ts';
import type { PageLanguage } from '../page-texts/texts.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { requestAttestation } from './attest-acts.ts';
import { canBeTicked, disclosureSha256, findDisclosure } from './disclosure.ts';
import {
  type FieldValues,
  type FilledField,
  filledDetail,
  fillFields,
  nameFiles,
  type OptionalMark,
  recordValues,
} from './fill-fields.ts';
import { recordFirstView, type Visitor } from './mark-viewed.ts';
import { listSignatures, type ShownDetail, type SignatureMethod, shownDetail } from './shown-signatures.ts';
import { refusalOf, SigningError } from './signing-error.ts';
import { type Access, lockSession, type SigningSession } from './signing-session.ts';
import { type SigningState, signingStateOf } from './signing-state.ts';

/**
 * A signer's input: the typed name, the picture if there is one (PNG bytes, checked by the caller), initials, stamp
 * and field values if the document has such fields, and the version of the disclosure that the page showed.
 */
export interface Signature {
  /** Null to use the name that the sender gave. */
  fullName: string | null;
  /** How the signature was made. */
  method: SignatureMethod;
  /** The drawing or the uploaded picture. */
  png: Buffer | null;
  initials: Initials | null;
  /** The picture of a stamp. */
  stamp: Buffer | null;
  /** Which of them the recipient had saved before. */
  saved: { signature: boolean; initials: boolean };
  fields: FieldValues;
  disclosure: string;
  /** Whether the box for consent was ticked. It counts only if the document asks for it. */
  isConsentTicked: boolean;
  /** The hash of what the page showed of earlier recipients, or null if it showed nothing. */
  shown: string | null;
  /** The language of the page, or null for that of the document. */
  pageLanguage: PageLanguage | null;
}

export type Initials = { text: string; png: null } | { text: null; png: Buffer };

/**
 * Records a recipient's signature or approval. The last one completes the document. Signing again returns the state that
 * was reached, so a double click or a second tab does no harm. Throws the `SigningError` of a state that isn't open,
 * `consent_required`, `fields_missing`, `invalid_field`, and `malformed_request` for a hash that no page of the document can
 * have shown.
 */
export async function signDocument(
  world: World,
  tx: Tx,
  queue: JobQueue,
  access: Access,
  signature: Signature,
  visitor: Visitor,
): Promise<SigningState> {
  const session = await lockSession(world, tx, access);
  if (isDone(session.recipient)) return session.state;
  if (session.state.kind !== 'open') throw new SigningError(refusalOf(session.state));

  const { document, recipients, recipient } = session;
  if (document.asks_consent && !signature.isConsentTicked) throw new SigningError('consent_required');
  const attachment = await readAttachment(tx, document.account_id, document.id);
  const all = attachment?.fields ?? [];
  const own = all.filter((field) => field.recipient_id === recipient.id);
  const hasUploads = own.some(({ type }) => type === 'upload');
  const entered = hasUploads ? nameFiles(own, await listFieldFiles(tx, document), signature.fields) : signature.fields;
  await recordFirstView(world, tx, session, visitor);
  const now = world.clock.now();
  const filled = fillFields(own, all, entered, madeMarks(signature), now);
  const shown = shownDetail(signature.shown, await listSignatures(tx, document), all);
  if (shown === null) throw new SigningError('malformed_request');
  const files = hasUploads ? await signFiles(world, tx, session, own, filled) : [];
  const isPlaced = (kind: OptionalMark) =>
    own.some(({ type }, index) => type === kind && filled[index]?.value === 'true');
  // Marks that no field shows aren't stored.
  const placed = {
    ...signature,
    initials: isPlaced('initials') ? signature.initials : null,
    stamp: isPlaced('stamp') ? signature.stamp : null,
    files,
    at: now.toISOString(),
  };
  await recordSignature(world, tx, session, placed, attachment === null ? null : filled, shown, visitor);
  const act = { recipient, entry: document.audit_seq };
  const everyoneSigned = recipients.filter(isSigner).every(isDone);
  await Promise.all(
    everyoneSigned
      ? // Sealing attests it.
        [recordAct(tx, document, act, world.clock.now()), complete(world, tx, queue, document)]
      : [requestAttestation(world, tx, queue, document, act), goOn(world, tx, queue, document, recipients)],
  );
  return signingStateOf(document, recipients, recipient, session.needs, world.clock.now());
}

function madeMarks({ initials, stamp }: Signature): Set<OptionalMark> {
  return new Set([...(initials === null ? [] : ['initials' as const]), ...(stamp === null ? [] : ['stamp' as const])]);
}

/**
 * Signs the files of the fields that are filled in, and drops the others. Throws `invalid_field` when one was removed meanwhile,
 * because nobody had signed with it for days.
 */
async function signFiles(
  world: World,
  tx: Tx,
  { document, recipient }: SigningSession,
  own: readonly Field[],
  filled: readonly FilledField[],
): Promise<FieldFile[]> {
  const ids = filled.flatMap(({ id, value }, index) => (own[index]?.type === 'upload' && value !== null ? [id] : []));
  const files = await signFieldFiles(tx, document, ids, world.clock.now().toISOString());
  const lost = ids.find((id) => !files.some((file) => file.field_id === id));
  if (lost !== undefined) throw new SigningError('invalid_field', { param: lost });
  await dropPendingFiles(world, tx, recipient, ids);
  return files;
}

/** What the audit entry says about attached files. */
function filesDetail(files: readonly FieldFile[]): { files?: object[] } {
  if (files.length === 0) return {};
  return {
    files: files.map(({ field_id: field, name, bytes, sha256 }) => {
      return { field, name, bytes, sha256: sha256.toString('hex') };
    }),
  };
}

/** The audit entry of the signature or approval is the last one that it appends. */
async function recordSignature(
  world: World,
  tx: Tx,
  session: SigningSession,
  signature: Signature & { files: readonly FieldFile[]; at: string },
  filled: readonly FilledField[] | null,
  shown: ShownDetail,
  visitor: Visitor,
): Promise<void> {
  const { document, recipient } = session;
  const { at: now } = signature;
  const approves = recipientKind(recipient) === 'approver';
  const signedAs = signature.fullName ?? recipient.display_name;
  Object.assign(recipient, { status: 'signed', signed_at: now });
  await Promise.all([
    tx.query({
      name: 'record_signature',
      text: `update recipients set status = 'signed', signed_at = $3, signature_name = $4, signature_png = $5,
               signed_ip = $6, signed_user_agent = $7, initials_text = $8, initials_png = $9,
               stamp_png = $10
             where account_id = $1 and id = $2`,
      values: [
        recipient.account_id,
        recipient.id,
        now,
        signedAs,
        approves ? null : signature.png,
        visitor.ip,
        visitor.userAgent,
        signature.initials?.text ?? null,
        signature.initials?.png ?? null,
        signature.stamp,
      ],
    }),
    recordValues(tx, recipient.account_id, recipient.id, filled ?? [], now),
    cancelMessagesTo(world, tx, recipient),
    appendAudit(tx, document, [
      {
        at: now,
        actor: recipientActor(recipient.id),
        action: 'consented',
        detail: {
          name: recipient.display_name,
          ...consentDetail(document, signature.disclosure),
          ip: visitor.ip,
          user_agent: visitor.userAgent,
        },
      },
      {
        at: now,
        actor: recipientActor(recipient.id),
        action: approves ? 'approved' : 'signed',
        detail: {
          name: recipient.display_name,
          signed_as: signedAs,
          method: approves ? 'approval' : signature.method,
          ...(approves ? {} : savedDetail(signature)),
          ...(approves ? {} : pictureHashes(signature)),
          auth_level: recipient.auth_level,
          ...(filled === null ? {} : filledDetail(filled)),
          ...filesDetail(signature.files),
          ...shown,
          ...pageLanguageDetail(document, signature),
          ip: visitor.ip,
          user_agent: visitor.userAgent,
        },
      },
    ]),
  ]);
}

/** What the recipient agreed to, and how. */
function consentDetail(document: Document, version: string) {
  const { primary_language: language, asks_consent: isAsked } = document;
  const text = findDisclosure(version, language, document);
  if (text === null || (isAsked && !canBeTicked(version))) throw new SigningError('malformed_request');
  const how = isAsked ? 'ticked' : 'signing';
  return { disclosure: version, language, how, disclosure_sha256: disclosureSha256(text, language, how) };
}

/** The language in which the page was shown, if it is not the document's. The disclosure is always in the document's. */
function pageLanguageDetail(document: Document, { pageLanguage }: Signature): { page_language?: PageLanguage } {
  if (pageLanguage === null || pageLanguage === document.primary_language) return {};
  return { page_language: pageLanguage };
}

/** Which of the signature and the initials had been saved before. `method` says how the signature was made then. */
function savedDetail({ saved, initials }: Signature): { saved?: string } {
  const hasInitials = saved.initials && initials !== null;
  if (saved.signature) return { saved: hasInitials ? 'signature_and_initials' : 'signature' };
  return hasInitials ? { saved: 'initials' } : {};
}

/** The hashes of the pictures of the signature, the initials and the stamp, for the audit trail. */
function pictureHashes({ png, initials, stamp }: Signature): Record<string, string> {
  const pictures = { signature_sha256: png, initials_sha256: initials?.png ?? null, stamp_sha256: stamp };
  return Object.fromEntries(
    Object.entries(pictures).flatMap(([name, picture]) =>
      picture === null ? [] : [[name, createHash('sha256').update(picture).digest('hex')]],
    ),
  );
}

async function goOn(world: World, tx: Tx, queue: JobQueue, document: Document, recipients: Recipient[]): Promise<void> {
  const now = world.clock.now().toISOString();
  Object.assign(document, { status: 'partially_signed', updated_at: now });
  await Promise.all([
    tx.query({
      name: 'mark_document_partially_signed',
      text: `update documents set status = 'partially_signed', updated_at = $3 where account_id = $1 and id = $2`,
      values: [document.account_id, document.id, now],
    }),
    record(world, tx, document, 'document.signed'),
    requestNextSignatures(world, tx, queue, document, recipients),
  ]);
}

async function complete(world: World, tx: Tx, queue: JobQueue, document: Document): Promise<void> {
  const now = world.clock.now().toISOString();
  const completed = { status: 'completed', completed_at: now, updated_at: now };
  Object.assign(document, completed);
  await Promise.all([
    appendAudit(tx, document, [{ at: now, actor: 'service', action: 'completed', detail: {} }], {
      name: 'complete_document',
      columns: completed,
    }),
    record(world, tx, document, 'document.signed'),
    record(world, tx, document, 'document.completed'),
    notifySender(world, tx, queue, document, 'sender_completed'),
    queue.enqueue(tx, [{ name: 'seal-document', accountId: document.account_id, documentId: document.id }]),
  ]);
}

function record(world: World, tx: Tx, document: Document, type: 'document.signed' | 'document.completed') {
  return recordEvent(world, tx, {
    accountId: document.account_id,
    documentId: document.id,
    type,
    document: eventDocument(document),
  });
}
