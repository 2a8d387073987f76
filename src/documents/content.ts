import { canonicalJson } from '../canonical-json.ts';
import type { Document } from './document.ts';
import { partyKind, type Recipient } from './recipient.ts';

/**
 * What the parties sign, as canonical JSON, frozen at sending: its SHA-256 is audited then, printed on the certificate
 * of completion, and the bytes are embedded in the sealed PDF, so that anyone can compute it again.
 */
export function contentOf(document: Document, recipients: readonly Recipient[]): string {
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
        kind: partyKind(recipient),
        role: recipient.party_role,
        sign_order: recipient.sign_order,
      })),
  });
}
