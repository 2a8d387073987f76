import { type Field, isFilled, readFieldValue } from '../documents/field.ts';
import type { Language } from '../platform/language.ts';
import { SigningError } from './signing-error.ts';

/** What somebody entered to sign, in the form that needs no script. */
export interface Entered {
  fullName: string;
  initials: string;
  /** Whether the box of companies that ask for consent was ticked. */
  isConsentTicked: boolean;
  /** By field id. An unticked checkbox is `false`, or null for a signature or initials. */
  fields: ReadonlyMap<string, string | null>;
}

export type Fault = 'missing' | 'invalid';

const prefix = 'field.';

/** Parses a form as browsers send it (`application/x-www-form-urlencoded`). Throws `malformed_request`. */
export function readForm(body: unknown): URLSearchParams {
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : '';
  const form = new URLSearchParams(text);
  if (!form.has('action')) throw new SigningError('malformed_request');
  return form;
}

/** Returns the values of the form. `own`: the recipient's fields. An unticked checkbox isn't sent. */
export function readEntered(form: URLSearchParams, own: readonly Field[]): Entered {
  const fields = new Map<string, string | null>();
  for (const [name, value] of form) {
    if (name.startsWith(prefix)) fields.set(name.slice(prefix.length), value.trim() || null);
  }
  for (const { id, type, is_fixed } of own) {
    if (fields.has(id) || is_fixed) continue;
    if (type === 'checkbox') fields.set(id, 'false');
    else if (type === 'signature' || type === 'initials') fields.set(id, null);
  }
  return {
    fullName: textOf(form, 'full_name').trim(),
    initials: textOf(form, 'initials').trim(),
    isConsentTicked: form.get('consent') === 'true',
    fields,
  };
}

/** Returns the reason that somebody entered to decline. */
export function readReason(form: URLSearchParams): string {
  return textOf(form, 'reason');
}

/** Browsers send a line break as two characters, but `maxlength` counts it as one. */
function textOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n');
}

/** Returns what is wrong with each field, by id, so that the form can name them all at once. */
export function findFaults(own: readonly Field[], { fields }: Entered, language: Language): Map<string, Fault> {
  const faults = new Map<string, Fault>();
  for (const field of own) {
    const { id, type, required } = field;
    const value = fields.get(id) ?? null;
    if (field.is_fixed) continue;
    if (value !== null && readFieldValue(field, value, language) === null) faults.set(id, 'invalid');
    else if (required && type !== 'date' && !isFilled(type, value)) faults.set(id, 'missing');
  }
  return faults;
}

/** Returns the body that the page's script would send. */
export function signBody(form: URLSearchParams, entered: Entered): object {
  return {
    full_name: entered.fullName,
    signature: { kind: 'typed' },
    disclosure: form.get('disclosure') ?? undefined,
    consent: entered.isConsentTicked,
    shown: form.get('shown') ?? undefined,
    ...(entered.initials === '' ? {} : { initials: { kind: 'typed', text: entered.initials } }),
    fields: Object.fromEntries(entered.fields),
  };
}
