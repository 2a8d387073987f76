import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** Where a recipient fills something in on an attached file, and what they filled in. */
export const fieldTypes = ['signature', 'initials', 'date', 'text', 'checkbox'] as const;

export type FieldType = (typeof fieldTypes)[number];

/** One row of `document_fields`. In points from the top left corner of the page as shown; pages count from 1. */
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
  /** `true` or `false` of a checkbox, `true` of a placed signature or initials, `YYYY-MM-DD`, or a text. */
  value: string | null;
  filled_at: Timestamp | null;
}

export const fieldsMax = 500;
export const labelLengthMax = 100;
export const textLengthMax = 500;

/** Whether a value can stand in a field of this type. */
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

/** A required checkbox wants its tick; white space alone fills nothing in. */
export function isFilled(type: FieldType, value: string | null): boolean {
  if (value === null) return false;
  return type === 'checkbox' ? value === 'true' : value.trim() !== '';
}

/** What PostgreSQL can hold: no lone surrogate and no U+0000. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** `YYYY-MM-DD` of a day there is. */
function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** What a signer filled in, as the audit trail keeps it: SHA-256 of the canonical JSON of `[{ id, value }, …]`, in hex. */
export function valuesSha256(fields: ReadonlyArray<Pick<Field, 'id' | 'value'>>): string {
  const filled = fields.filter(({ value }) => value !== null).map(({ id, value }) => ({ id, value }));
  return createHash('sha256').update(canonicalJson(filled)).digest('hex');
}
