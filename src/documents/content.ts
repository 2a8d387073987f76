import { canonicalJson } from '../canonical-json.ts';
import type { Attachment } from './attachment.ts';
import { withReferences } from './calculate.ts';
import type { Document } from './document.ts';
import type { Field } from './field.ts';
import { type Recipient, recipientKind } from './recipient.ts';

/**
 * Returns what the recipients sign, as canonical JSON. It does not change after sending, except when a recipient is
 * reassigned. Its SHA-256 is audited and printed on the certificate of completion. The JSON itself is embedded in the
 * sealed PDF, so anyone can compute the hash again.
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

/** Returns the file's hash and the placed fields. What recipients fill in is left out, because it is
 * filled in after sending. */
function attachedContent({ file, fields }: Attachment): object {
  return {
    file: { name: file.name, sha256: file.sha256.toString('hex'), pages: file.page_count },
    fields: fields.map((field) => {
      const { id, recipient_id, type, page, x, y, width, height, required, label } = field;
      return { id, recipient_id, type, page, x, y, width, height, required, label, ...laterProperties(field, fields) };
    }),
  };
}

/** Properties that are left out unless set, so that the hash of documents that were sent before they existed stays the same. */
function laterProperties(field: Field, all: readonly Field[]): object {
  const { is_private, preset, is_fixed, number_min, number_max, decimals, options, group_name } = field;
  const { formula, date_format, text_format } = field;
  const other = all.find(({ position }) => position === field.condition_position);
  return {
    ...(is_private ? { private: true } : {}),
    ...(preset === null ? {} : { value: preset }),
    ...(is_fixed ? { read_only: true } : {}),
    ...(number_min === null ? {} : { min: number_min }),
    ...(number_max === null ? {} : { max: number_max }),
    ...(decimals === null ? {} : { decimals }),
    ...(options === null ? {} : { options }),
    ...(group_name === null ? {} : { group: group_name }),
    ...(formula === null ? {} : { formula: formulaWithIds(formula, all) }),
    ...(date_format === null ? {} : { date_format }),
    ...(text_format === null ? {} : { text_format }),
    ...(other === undefined ? {} : { shown_if: { id: other.id, value: field.condition_value } }),
  };
}

function formulaWithIds(formula: string, all: readonly Field[]): string {
  return withReferences(formula, (at) => all.find(({ position }) => position === at)?.id ?? '');
}
