import { readActor } from '../actor.ts';
import type { Attachment } from '../documents/attachment.ts';
import type { ChainedEntry } from '../documents/audit.ts';
import { valuesSha256 } from '../documents/field.ts';

/** The values one recipient filled in. The audit entry of their signature holds the `valuesSha256` of these values. */
export interface SignedValues {
  recipient_id: string;
  values: Array<{ id: string; value: string }>;
}

/**
 * Returns the values each recipient filled in, in the order in which they signed.
 *
 * Throws if the values differ from what a recipient signed, or if someone who did not sign filled in a field.
 */
export function signedValues({ fields }: Attachment, trail: readonly ChainedEntry[]): SignedValues[] {
  const filled = fields.filter(({ filled_at, value }) => filled_at !== null && value !== null);
  const values = (recipientId: string) =>
    filled.flatMap(({ id, recipient_id, value }) =>
      recipient_id === recipientId && value !== null ? [{ id, value }] : [],
    );
  const signatures = trail.filter(({ action }) => action === 'signed' || action === 'approved');
  const signed = signatures.map(({ actor, detail }) => {
    const { kind, id } = readActor(actor);
    const recipientId = kind === 'recipient' && id !== null ? id : actor;
    const own = { recipient_id: recipientId, values: values(recipientId) };
    if (valuesSha256(own.values) !== detail.fields_sha256) throw notAsSigned(recipientId);
    return own;
  });
  const stray = filled.find(({ recipient_id }) => signed.every((own) => own.recipient_id !== recipient_id));
  if (stray !== undefined) throw notAsSigned(stray.recipient_id);
  return signed;
}

function notAsSigned(recipientId: string): Error {
  return new Error(`what recipient ${recipientId} filled in is not what they signed`);
}
