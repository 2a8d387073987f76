import type { Actor } from '../../actor.ts';
import { canonicalJson } from '../../canonical-json.ts';
import { chainEntry, emptyChain } from '../../documents/audit.ts';
import type { World } from '../../platform/world.ts';
import { attachedNameOf, titleOfSubject } from '../title-of.ts';
import type { StoredPdf } from './fetch-envelope.ts';
import type { VendorEnvelope } from './vendor-envelope.ts';

/**
 * Builds the rows of a document of type `other` that was completed at the vendor: its recipients with what each did and
 * when, the vendor's PDF as its file, and an audit trail that names its origin.
 */
export function importedDocument(
  world: World,
  actor: Actor,
  envelope: VendorEnvelope,
  { sha256, bytes, pdf }: StoredPdf,
) {
  const id = world.newId();
  const at = world.clock.now().toISOString();
  const { subject, recipients, sentAt, completedAt } = envelope;
  const name = attachedNameOf(subject);
  const created = chainEntry(id, emptyChain, {
    at,
    actor,
    action: 'created',
    detail: {
      source: 'esign_vendor',
      envelope_id: envelope.id,
      completed_at: completedAt,
      recipients: recipients.length,
    },
  });
  const attached = chainEntry(
    id,
    { seq: created.seq, hash: created.hash },
    { at, actor, action: 'attached', detail: { name, sha256: sha256.toString('hex'), bytes, pages: pdf.pageCount } },
  );
  return {
    document: {
      id,
      title: titleOfSubject(subject),
      sign_order_mode: new Set(recipients.map(({ order }) => order)).size > 1 ? 'sequential' : 'parallel',
      recipient_count: recipients.length,
      sent_at: sentAt,
      completed_at: completedAt,
      audit_seq: attached.seq,
      audit_hash: attached.hash,
    },
    recipients: recipients.map((recipient, position) => ({
      id: world.newId(),
      document_id: id,
      position,
      display_name: recipient.name,
      email: recipient.email,
      phone: recipient.phone,
      party_role: recipient.role,
      channel: recipient.channel,
      sign_order: recipient.order,
      auth_level: 'l0_email_link',
      status: recipient.status,
      sent_at: recipient.sentAt,
      viewed_at: recipient.viewedAt,
      signed_at: recipient.signedAt,
      declined_at: recipient.declinedAt,
      declined_reason: recipient.declinedReason,
    })),
    trail: [created, attached].map((entry) => ({
      document_id: id,
      seq: entry.seq,
      at,
      actor,
      action: entry.action,
      detail: canonicalJson(entry.detail),
      previous_hash: entry.previousHash,
      hash: entry.hash,
    })),
    file: {
      document_id: id,
      sha256,
      name,
      page_count: pdf.pageCount,
      pages: pdf.pages.map(({ width, height }) => [width, height]),
      is_signed: pdf.isSigned,
    },
    known: { document_id: id, envelope_id: envelope.id, bytes, pages: pdf.pageCount },
  };
}

export type ImportedDocument = ReturnType<typeof importedDocument>;
