import { type Field, isFilled, radioGroups, readFieldValue, valuesSha256 } from '../documents/field.ts';
import { shownFields } from '../documents/field-condition.ts';
import type { FieldFile } from '../documents/field-file.ts';
import type { FieldType } from '../documents/field-types.ts';
import { isMarkKind, type MarkKind } from '../mark-kinds.ts';
import type { Tx } from '../postgres/database.ts';
import { calculateOwn, mustGiveResult } from './calculate-own.ts';
import { SigningError } from './signing-error.ts';

/** Field values sent by a page, by field id. Null empties a field. */
export type FieldValues = ReadonlyMap<string, string | null>;

/** Marks without which a recipient can sign. */
export type OptionalMark = Exclude<MarkKind, 'signature'>;

/** A field with its final value. */
export type FilledField = Pick<Field, 'id' | 'value'>;

/**
 * Returns the values that the recipient signs with: the sender's for a fixed field, else the entered value, else the saved one. A
 * date without any of them, fixed or not, gets the day of `now` (UTC), unless it is optional and was emptied. Calculated fields get
 * their results, whatever was entered.
 * `own`: the recipient's fields. `all`: all fields of the document. `made`: the marks that come with the signature. Throws
 * `invalid_field` for an invalid value or another recipient's field, and `fields_missing` if a required field is empty. A field that
 * is hidden by its condition has no value and isn't required.
 */
export function fillFields(
  own: readonly Field[],
  all: readonly Field[],
  entered: FieldValues,
  made: ReadonlySet<OptionalMark>,
  now: Date,
): FilledField[] {
  const accepted = acceptValues(own, entered);
  const today = now.toISOString().slice(0, 10);
  const values = new Map(
    own.map((field) => {
      const { id, type, value: saved } = field;
      if (field.is_fixed) return [field, field.preset ?? (type === 'date' ? today : null)];
      // Marks themselves aren't saved. A field where one was placed earlier is empty until it is made again.
      const kept = isOptionalMark(type) && !made.has(type) ? null : saved;
      const given = accepted.get(id) ?? (accepted.has(id) ? null : kept);
      const isCleared = accepted.has(id) && !field.required;
      return [field, isFilled(type, given) || given === 'false' ? given : type === 'date' && !isCleared ? today : null];
    }),
  );
  const shown = shownFields(own, (field) => values.get(field) ?? null);
  const given = own.map((field) => {
    const isShown = shown.has(field);
    return { ...field, isShown, value: isShown ? (values.get(field) ?? null) : null };
  });
  const results = calculateOwn(given, all);
  const byPosition = new Map(given.map((field) => [field.position, field]));
  const filled = given.map((field) => {
    const result = results.get(field.id);
    const value = field.formula === null ? field.value : (result?.value ?? null);
    return { ...field, value, required: mustGiveResult(field, result, byPosition) };
  });
  const lacksMark = filled.some(({ type, value }) => isOptionalMark(type) && !made.has(type) && value !== null);
  if (missingFields(filled.filter(({ isShown }) => isShown)).length > 0 || lacksMark) {
    throw new SigningError('fields_missing');
  }
  return filled.map(({ id, value }) => ({ id, value }));
}

/** Whether a type of field shows a mark without which a recipient can sign. */
function isOptionalMark(type: FieldType): type is OptionalMark {
  return isMarkKind(type) && type !== 'signature';
}

/** Returns the required fields that are empty. Of a group of radio buttons, one must be chosen. */
export function missingFields<F extends Field>(fields: readonly F[]): F[] {
  const chosen = new Set(
    radioGroups(fields)
      .filter((buttons) => buttons.some(({ value }) => value === 'true'))
      .flat(),
  );
  return fields.filter((field) => {
    return field.required && !field.is_fixed && !chosen.has(field) && !isFilled(field.type, field.value);
  });
}

/**
 * Returns the entered values, of which numbers have a decimal point, as they are stored. Those of calculated fields are dropped.
 * Choosing a radio button empties the others of its group. An invalid value of a field that is hidden by its condition is
 * dropped. Throws `invalid_field` for any other invalid value, for another value of a fixed field, for two buttons of a
 * group, and for a field that isn't the recipient's.
 */
export function acceptValues(own: readonly Field[], entered: FieldValues): FieldValues {
  const fields = new Map(own.map((field) => [field.id, field]));
  const accepted = new Map<string, string | null>();
  const invalid: Field[] = [];
  for (const [id, text] of entered) {
    const field = fields.get(id);
    if (field === undefined) throw new SigningError('invalid_field');
    if (field.formula !== null) continue;
    const value = text === null ? null : readFieldValue(field, text, 'canonical');
    if (field.is_fixed && value !== field.preset) throw new SigningError('invalid_field', { param: id });
    if (text !== null && value === null) invalid.push(field);
    accepted.set(id, value);
  }
  for (const buttons of radioGroups(own)) {
    const chosen = buttons.filter(({ id }) => accepted.get(id) === 'true');
    if (chosen.length > 1) throw new SigningError('invalid_field');
    if (chosen.length === 1) for (const { id } of buttons) accepted.set(id, accepted.get(id) ?? null);
  }
  if (invalid.length > 0) {
    const shown = shownFields(own, ({ id, value }) => (accepted.has(id) ? (accepted.get(id) ?? null) : value));
    const first = invalid.find((field) => shown.has(field));
    if (first !== undefined) throw new SigningError('invalid_field', { param: first.id });
  }
  return accepted;
}

/**
 * Replaces the ids that stand for files in what was entered by the names of those files. Throws `invalid_field` for any other
 * value: a file that was replaced or removed meanwhile isn't the one that the page showed.
 */
export function nameFiles(own: readonly Field[], files: readonly FieldFile[], entered: FieldValues): FieldValues {
  const uploads = new Set(own.filter(({ type }) => type === 'upload').map(({ id }) => id));
  return new Map(
    [...entered].map(([id, value]) => {
      if (value === null || !uploads.has(id)) return [id, value];
      const file = files.find((one) => one.field_id === id && one.id === value);
      if (file === undefined) throw new SigningError('invalid_field', { param: id });
      return [id, file.name];
    }),
  );
}

/** Stores the values of the recipient's fields. With `signedAt` null they are only saved for later. */
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

/** Returns the audit detail of filled fields: how many there are, and a hash of their values. */
export function filledDetail(filled: readonly FilledField[]) {
  return { fields: filled.filter(({ value }) => value !== null).length, fields_sha256: valuesSha256(filled) };
}
