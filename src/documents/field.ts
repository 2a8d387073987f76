import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import { isBlank } from '../platform/plain-line.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { withReferences } from './calculate.ts';
import { type DateFormat, formatDay } from './date-format.ts';
import type { ConditionalField } from './field-condition.ts';
import type { FieldType } from './field-types.ts';
import { formatNumber, type NumberForm, type NumberRules, readNumber } from './number-value.ts';
import { readFormatted, type TextFormat } from './text-format.ts';

/** What a value of a field must satisfy. */
export interface FieldRules extends NumberRules {
  type: FieldType;
  /** The options of a drop-down list. Null for other types. */
  options: readonly string[] | null;
  /** What a text must be. Null: any text. */
  text_format: TextFormat | null;
}

/**
 * One row of `document_fields`: a place on the attached file that a recipient fills in, and its value. Positions are in
 * points from the top left corner of the page as shown. Pages count from 1.
 */
export interface Field extends FieldRules, ConditionalField {
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
  /** The value that the sender gave. The field holds it until the recipient changes it. Null: none. */
  preset: string | null;
  /** Whether the recipient can't change the preset. A fixed date without one becomes the day of signing. */
  is_fixed: boolean;
  /** The name of a radio button's group, of which one is chosen. Null for other types. */
  group_name: string | null;
  /** How a date is written. Null: as it is stored. */
  date_format: DateFormat | null;
  /** How a number is calculated, with the positions of other fields in braces: `{0} * 1.21`. Null: it is entered. */
  formula: string | null;
  /**
   * Checkbox: `true` or `false`. Signature, initials and stamp: `true` once placed. Date: `YYYY-MM-DD`. Text: any text. Number: a
   * decimal such as `-1200.50`. Drop-down: one of the options. Radio button: `true` if it is
   * chosen. Upload: the name of the file.
   */
  value: string | null;
  filled_at: Timestamp | null;
}

/** A field as the sender places it. */
export type PlacedField = Omit<Field, 'id' | 'position' | 'value' | 'filled_at'>;

export const fieldsMax = 500;
export const labelLengthMax = 100;
export const textLengthMax = 500;
export const optionsMin = 2;
export const optionsMax = 100;
export const optionLengthMax = 100;
/** The number of radio buttons in a group. */
export const groupMin = 2;
export const groupMax = 20;

/**
 * Returns the value to store for what was entered into a field, or null if it is not valid. Only numbers, and texts with a format,
 * are entered in another form than they are stored in.
 */
export function readFieldValue(rules: FieldRules, entered: string, form: NumberForm): string | null {
  if (rules.type === 'number') return readNumber(entered, form, rules);
  if (!isFieldValue(rules, entered)) return null;
  return rules.text_format === null ? entered : readFormatted(rules.text_format, entered);
}

/** How people of a language read values. */
export interface Writing {
  numbers: NumberForm;
  /** Of the names of months. */
  language: string;
}

/** Returns a value as people read it: a number with the decimal sign of the language, a date in its format, others as stored. */
export function writtenValue(
  { type, date_format }: Pick<Field, 'type' | 'date_format'>,
  value: string,
  { numbers, language }: Writing,
): string {
  if (type === 'number') return formatNumber(value, numbers);
  return type === 'date' ? formatDay(value, date_format, language) : value;
}

function isFieldValue({ type, options }: FieldRules, value: string): boolean {
  switch (type) {
    case 'signature':
    case 'initials':
    case 'stamp':
    case 'radio':
      return value === 'true';
    case 'checkbox':
      return value === 'true' || value === 'false';
    case 'date':
      return isDay(value);
    case 'dropdown':
      return options?.includes(value) ?? false;
    default:
      return isStorable(value) && [...value].length <= textLengthMax;
  }
}

/** Returns whether a value satisfies a required field. A checkbox must be ticked, and something of a text must be visible. */
export function isFilled(type: FieldType, value: string | null): boolean {
  if (value === null) return false;
  if (type === 'text') return !isBlank(value);
  return type === 'checkbox' ? value === 'true' : value.trim() !== '';
}

/** Returns the radio buttons of each group. Groups of different recipients are different, whatever their names. */
export function radioGroups<F extends Pick<Field, 'type' | 'recipient_id' | 'group_name'>>(
  fields: readonly F[],
): F[][] {
  const buttons = fields.filter(({ type }) => type === 'radio');
  return [...Map.groupBy(buttons, ({ recipient_id, group_name }) => `${recipient_id} ${group_name}`).values()];
}

/** Returns the label by which a value is known outside its place: that of a radio button begins with its group. */
export function fullLabel({ group_name, label }: Pick<Field, 'group_name' | 'label'>): string | null {
  return group_name === null ? label : `${group_name}: ${label}`;
}

/** Returns when a field is shown, as it is placed: `field` is a number in the list `all`, from 1. Null: always. */
export function shownIf(
  { condition_position, condition_value }: Field,
  all: readonly Field[],
): { field: number; value: string } | null {
  const number = all.findIndex(({ position }) => position === condition_position) + 1;
  return number === 0 ? null : { field: number, value: condition_value ?? '' };
}

/** Returns a formula as it is placed: fields are numbers in the list `all`, from 1. */
export function formulaAsPlaced({ formula }: Field, all: readonly Field[]): string | null {
  if (formula === null) return null;
  return withReferences(formula, (at) => String(all.findIndex(({ position }) => position === at) + 1));
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
