import { canonicalJson } from '../canonical-json.ts';
import type { Attachment } from './attachment.ts';
import type { Document } from './document.ts';
import { type Recipient, recipientKind } from './recipient.ts';

/**
 * What the parties sign, as canonical JSON, frozen at sending: its SHA-256 is audited then, printed on the certificate
 * of completion, and the bytes are embedded in the sealed PDF, so that anyone can compute it again.
 */
export function contentOf(document: Document, recipients: readonly Recipient[], attachment: Attachment | null): string {
  return canonicalJson({
    id: document.id,
    title: document.title,
    type: document.type,
    language: document.primary_language,
    message: document.message,
    parties: [...recipients]
      .sort((a, b) => a.position - b.position)
      .map((recipient) => ({
        id: recipient.id,
        name: recipient.display_name,
        kind: recipientKind(recipient),
        role: recipient.party_role,
        sign_order: recipient.sign_order,
      })),
    ...(attachment === null ? {} : attachedContent(attachment)),
  });
}

/** The file by its hash, and where who fills in what: not what they filled in, which comes later. */
function attachedContent({ file, fields }: Attachment): object {
  return {
    file: { name: file.name, sha256: file.sha256.toString('hex'), pages: file.page_count },
    fields: fields.map(({ id, recipient_id, type, page, x, y, width, height, required, label }) => {
      return { id, recipient_id, type, page, x, y, width, height, required, label };
    }),
  };
}
