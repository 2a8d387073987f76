import type { Result } from '../documents/calculate.ts';
import { type Field, readFieldValue } from '../documents/field.ts';
import { shownFields } from '../documents/field-condition.ts';
import type { NumberStyle } from '../documents/number-value.ts';
import { isMarkKind } from '../mark-kinds.ts';
import { calculateOwn, mustGiveResult } from './calculate-own.ts';
import { missingFields } from './fill-fields.ts';
import { SigningError } from './signing-error.ts';

/** What somebody entered to sign, in the form that needs no script. */
export interface Entered {
  fullName: string;
  initials: string;
  /** The picture of a stamp, PNG in base64. Empty: the file that was chosen can't be one. Null: none was chosen. */
  stamp: string | null;
  /** Whether the box of companies that ask for consent was ticked. */
  isConsentTicked: boolean;
  /** By field id. An unticked checkbox is `false`, or null for a signature or initials. */
  fields: ReadonlyMap<string, string | null>;
  /** The results of calculated fields with these values, by field id. */
  results: ReadonlyMap<string, Result>;
}

/** Followed by the id of a field: the input for a file, and the box that removes the file that is kept. */
export const filePrefix = 'file.';
export const removePrefix = 'remove.';

/** The name of the hidden input that carries the picture of a stamp along. */
export const stampPicture = 'stamp_png';

export type Fault = 'missing' | 'invalid';

export const fieldPrefix = 'field.';
/** Followed by the name of a group. The value is the id of the chosen button. */
export const radioPrefix = 'radio.';

/** Parses a form as browsers send it (`application/x-www-form-urlencoded`). Throws `malformed_request`. */
export function readForm(body: unknown): URLSearchParams {
  return parseForm(Buffer.isBuffer(body) ? body.toString('latin1') : '');
}

/** Parses the text of such a form, or takes the entries of a form with files. Throws `malformed_request`. */
export function parseForm(sent: string | URLSearchParams): URLSearchParams {
  const form = new URLSearchParams(sent);
  if (!form.has('action')) throw new SigningError('malformed_request');
  return form;
}

/** Followed by the id of a calculated field. The value is the result that the page showed. */
export const resultPrefix = 'result.';

/**
 * Returns the values of the form. `own`: the recipient's fields. `all`: all fields of the document. An unticked checkbox isn't
 * sent.
 */
export function readEntered(
  form: URLSearchParams,
  own: readonly Field[],
  all: readonly Field[],
  numbers: NumberStyle,
): Entered {
  const fields = new Map<string, string | null>();
  for (const [name, value] of form) {
    if (name.startsWith(fieldPrefix)) fields.set(name.slice(fieldPrefix.length), textIn(value).trim() || null);
  }
  for (const { id, type, is_fixed, group_name } of own) {
    if (fields.has(id) || is_fixed) continue;
    if (type === 'radio') fields.set(id, chosenIn(form, group_name ?? '') === id ? 'true' : null);
    else if (type === 'checkbox') fields.set(id, 'false');
    else if (isMarkKind(type)) fields.set(id, null);
  }
  return {
    fullName: textOf(form, 'full_name').trim(),
    initials: textOf(form, 'initials').trim(),
    stamp: form.get(stampPicture),
    isConsentTicked: form.get('consent') === 'true',
    fields,
    results: calculateOwn(
      own.map((field) => ({ ...field, value: enteredValue(field, fields, numbers) })),
      all,
    ),
  };
}

/** Returns the reason that somebody entered to decline. */
export function readReason(form: URLSearchParams): string {
  return textOf(form, 'reason');
}

/** Browsers write quotation marks in the names of a multipart form as `%22`. */
function chosenIn(form: URLSearchParams, group: string): string | null {
  const name = `${radioPrefix}${group}`;
  return form.get(name) ?? form.get(name.replaceAll('"', '%22'));
}

function textOf(form: URLSearchParams, name: string): string {
  return textIn(form.get(name) ?? '');
}

/** Browsers send a line break as two characters, but `maxlength` counts it as one. */
function textIn(value: string): string {
  return value.replaceAll('\r\n', '\n');
}

function enteredValue(field: Field, fields: Entered['fields'], numbers: NumberStyle): string | null {
  const entry = field.is_fixed ? field.preset : (fields.get(field.id) ?? null);
  return entry === null || field.is_fixed ? entry : readFieldValue(field, entry, numbers);
}

/** Returns the calculated fields of which the page showed another result than the one to sign with. */
export function unseenResults(form: URLSearchParams, own: readonly Field[], { results }: Entered): Field[] {
  return own.filter(({ id, formula }) => {
    return formula !== null && (form.get(`${resultPrefix}${id}`) ?? '') !== (results.get(id)?.value ?? '');
  });
}

/** Returns what is wrong with each field, by id, so that the form can name them all at once. */
export function findFaults(
  own: readonly Field[],
  { fields, results }: Entered,
  numbers: NumberStyle,
): Map<string, Fault> {
  const shown = shownFields(own, (field) => enteredValue(field, fields, numbers));
  const byPosition = new Map(own.map((field) => [field.position, { ...field, isShown: shown.has(field) }]));
  const counted = [...shown].map((field) => {
    const result = results.get(field.id);
    const value = field.formula === null ? enteredValue(field, fields, numbers) : (result?.value ?? null);
    return { ...field, value, required: mustGiveResult(field, result, byPosition) };
  });
  const isInvalid = ({ id, formula, is_fixed, value }: Field) =>
    formula === null && !is_fixed && value === null && (fields.get(id) ?? null) !== null;
  const missing = missingFields(counted.filter(({ type }) => type !== 'date'));
  return new Map<string, Fault>([
    ...missing.map(({ id }) => [id, 'missing'] as const),
    ...counted.filter(isInvalid).map(({ id }) => [id, 'invalid'] as const),
  ]);
}

/**
 * Returns the values as the page's script sends them, numbers with a decimal point. Invalid ones are left empty: the form was
 * shown again unless they don't count. `emptyDay`: the day for dates that were left empty.
 */
export function sentFields(
  own: readonly Field[],
  { fields }: Entered,
  numbers: NumberStyle,
  emptyDay: string | null = null,
): Record<string, string | null> {
  const byId = new Map(own.map((field) => [field.id, field]));
  return Object.fromEntries(
    [...fields].map(([id, entry]) => {
      const field = byId.get(id);
      if (entry === null) return [id, field?.type === 'date' ? emptyDay : null];
      return [id, field === undefined ? entry : readFieldValue(field, entry, numbers)];
    }),
  );
}

/** Returns the body that the page's script would send. */
export function signBody(form: URLSearchParams, entered: Entered, fields: Record<string, string | null>): object {
  return {
    full_name: entered.fullName,
    signature: { kind: 'typed' },
    disclosure: form.get('disclosure') ?? undefined,
    consent: entered.isConsentTicked,
    shown: form.get('shown') ?? undefined,
    language: form.get('language') ?? undefined,
    ...(entered.stamp ? { stamp: { png: entered.stamp } } : {}),
    ...(entered.initials === '' ? {} : { initials: { kind: 'typed', text: entered.initials } }),
    fields,
  };
}
