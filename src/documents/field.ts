import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** The types of fields that recipients fill in on an attached file. */
export const fieldTypes = ['signature', 'initials', 'date', 'text', 'checkbox'] as const;

export type FieldType = (typeof fieldTypes)[number];

/**
 * One row of `document_fields`: a place on the attached file that a recipient fills in, and its value. Positions are in
 * points from the top left corner of the page as shown. Pages count from 1.
 */
export interface Field {
  id: string;
  recipient_id: string;
  position: number;
  type: FieldType;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  required: boolean;
  label: string | null;
  /** Whether the value stays hidden from other recipients on their signing pages. The sealed PDF shows it. */
  is_private: boolean;
  /** Checkbox: `true` or `false`. Signature and initials: `true` once placed. Date: `YYYY-MM-DD`. Text: any text. */
  value: string | null;
  filled_at: Timestamp | null;
}

export const fieldsMax = 500;
export const labelLengthMax = 100;
export const textLengthMax = 500;

/** Returns whether a value is valid for a field of this type. */
export function isFieldValue(type: FieldType, value: string): boolean {
  switch (type) {
    case 'signature':
    case 'initials':
      return value === 'true';
    case 'checkbox':
      return value === 'true' || value === 'false';
    case 'date':
      return isDay(value);
    case 'text':
      return isStorable(value) && [...value].length <= textLengthMax;
  }
}

/** Returns whether a value satisfies a required field. A checkbox must be ticked, and white space is not enough. */
export function isFilled(type: FieldType, value: string | null): boolean {
  if (value === null) return false;
  return type === 'checkbox' ? value === 'true' : value.trim() !== '';
}

/** Returns whether PostgreSQL can store the text: it has no lone surrogate and no U+0000. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** Returns whether the value is a real date in the form `YYYY-MM-DD`. */
function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/**
 * Returns the hash of field values that the audit trail stores: SHA-256 of the canonical JSON of `[{ id, value }, …]`, in
 * hex. Empty fields are left out.
 */
export function valuesSha256(fields: ReadonlyArray<Pick<Field, 'id' | 'value'>>): string {
  const filled = fields.filter(({ value }) => value !== null).map(({ id, value }) => ({ id, value }));
  return createHash('sha256').update(canonicalJson(filled)).digest('hex');
}
