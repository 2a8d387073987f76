import { type Field, isFieldValue, isFilled, valuesSha256 } from '../documents/field.ts';
import type { Tx } from '../postgres/database.ts';
import { SigningError } from './signing-error.ts';

/** What a page says of fields, by their ids; null empties one. */
export type FieldValues = ReadonlyMap<string, string | null>;

/** A field and what stands in it once its signer has signed. */
export type FilledField = Pick<Field, 'id' | 'value'>;

/**
 * What the reader signs with: what the page says, else what was saved, else the day of signing for a date. `own`: the
 * fields of the reader. Throws `invalid_field` for a value that cannot stand there or for somebody else's field, and
 * `fields_missing` when a required one is empty.
 */
export function fillFields(own: readonly Field[], said: FieldValues, hasInitials: boolean, now: Date): FilledField[] {
  assertAcceptable(own, said);
  const today = now.toISOString().slice(0, 10);
  const filled = own.map(({ id, type, required, value: saved }) => {
    // Initials themselves are not saved: placed elsewhere, and not made again here, they are nowhere.
    const kept = type === 'initials' && !hasInitials ? null : saved;
    const given = said.get(id) ?? (said.has(id) ? null : kept);
    const value = isFilled(type, given) || given === 'false' ? given : type === 'date' ? today : null;
    return { id, type, required, value };
  });
  const isMissing = filled.some(({ type, required, value }) => required && !isFilled(type, value));
  const lacksInitials = !hasInitials && filled.some(({ type, value }) => type === 'initials' && value !== null);
  if (isMissing || lacksInitials) throw new SigningError('fields_missing');
  return filled.map(({ id, value }) => ({ id, value }));
}

/** Throws `invalid_field` for a value that cannot stand where it is said to, or for a field that is not the reader's. */
export function assertAcceptable(own: readonly Field[], said: FieldValues): void {
  const types = new Map(own.map(({ id, type }) => [id, type]));
  for (const [id, value] of said) {
    const type = types.get(id);
    if (type === undefined || (value !== null && !isFieldValue(type, value))) throw new SigningError('invalid_field');
  }
}

/** Fixes what stands in the reader's fields. `signedAt` null: only kept for them, until they sign. */
export async function recordValues(
  tx: Tx,
  accountId: string,
  recipientId: string,
  values: readonly FilledField[],
  signedAt: string | null,
): Promise<void> {
  if (values.length === 0) return;
  await tx.query({
    name: 'record_field_values',
    text: `update document_fields f set value = v.value,
             filled_at = case when v.value is not null then $3::timestamptz end
           from unnest($4::uuid[], $5::text[]) as v (id, value)
           where f.account_id = $1 and f.recipient_id = $2 and f.id = v.id`,
    values: [accountId, recipientId, signedAt, values.map(({ id }) => id), values.map(({ value }) => value)],
  });
}

/** For the audit trail of a document with a file: how many fields were filled in, and a hash of what stands in them. */
export function filledDetail(filled: readonly FilledField[]) {
  return { fields: filled.filter(({ value }) => value !== null).length, fields_sha256: valuesSha256(filled) };
}
