import { Refusal } from '../errors.ts';
import { isMarkKind } from '../mark-kinds.ts';
import type { DocumentFile } from './attachment.ts';
import { checkFieldRelations } from './check-field-relations.ts';
import { checkFormulas } from './check-formulas.ts';
import { fieldsMax, isStorable, labelLengthMax, type PlacedField } from './field.ts';
import { uploadFieldsMax } from './field-file.ts';
import { fieldTypes } from './field-types.ts';
import {
  readDateFormat,
  readFieldRules,
  readFormula,
  readPreset,
  readRelations,
  ruleProperties,
} from './read-field-rules.ts';
import { type Recipient, recipientKind, type SignOrderMode } from './recipient.ts';

/** The minimum width and height in points. A smaller field can't be hit or read. */
export const sideMin = 4;
/** Tolerance in points at the edge of the page, because sums of rounded numbers are not exact. */
export const edgeTolerance = 0.01;
const properties = [
  ...['recipient', 'type', 'page', 'x', 'y', 'width', 'height', 'required', 'label', 'private'],
  ...ruleProperties,
];

/**
 * Parses the content of `fields.json`: an array of `{ recipient, type, page, x, y, width, height, required?, label?, private?,
 * value?, read_only?, min?, max?, decimals?, options?, group?, shown_if?, formula?, date_format?, text_format? }`. `recipient` is an
 * id, or the number of the recipient in the document, from 1. Throws a `Refusal` that names the first error.
 */
export function readPlacedFields(
  input: unknown,
  file: DocumentFile,
  recipients: readonly Recipient[],
  mode: SignOrderMode = 'parallel',
): PlacedField[] {
  if (!Array.isArray(input)) throw new Refusal('fields must be an array');
  if (input.length > fieldsMax) throw new Refusal(`fields must be at most ${fieldsMax}, there are ${input.length}`);
  const fields = input.map((field, index) => readField(field, `fields[${index}]`, file, recipients));
  if (fields.filter(({ type }) => type === 'upload').length > uploadFieldsMax) {
    throw new Refusal(`at most ${uploadFieldsMax} fields can be of type upload`);
  }
  checkFieldRelations(fields);
  checkFormulas(
    fields.map((field, position) => ({ ...field, position })),
    recipients,
    mode,
  );
  return fields;
}

function readField(input: unknown, at: string, file: DocumentFile, recipients: readonly Recipient[]): PlacedField {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new Refusal(`${at} must be an object`);
  const field = input as Record<string, unknown>;
  const unknown = Object.keys(field).find((name) => !properties.includes(name));
  if (unknown !== undefined) throw new Refusal(`${at}.${unknown.slice(0, 40)} is not a property of a field`);

  const recipient = readRecipient(field.recipient, `${at}.recipient`, recipients);
  const type = fieldTypes.find((known) => known === field.type);
  if (type === undefined) throw new Refusal(`${at}.type must be one of ${fieldTypes.join(', ')}`);
  if (recipientKind(recipient) === 'approver' && isMarkKind(type)) {
    throw new Refusal(`${at}.type cannot be ${type}: an approver does not sign`);
  }
  const page = readPage(field.page, `${at}.page`, file);
  const required = field.required ?? type !== 'checkbox';
  if (typeof required !== 'boolean') throw new Refusal(`${at}.required must be true or false`);
  const isPrivate = field.private ?? false;
  if (typeof isPrivate !== 'boolean') throw new Refusal(`${at}.private must be true or false`);
  const label = readLabel(field.label, `${at}.label`);
  const rules = readFieldRules(field, type, at);
  return {
    recipient_id: recipient.id,
    ...rules,
    ...readPreset(field, rules, at),
    ...readRelations(field, type, at),
    ...readFormula(field, at),
    date_format: readDateFormat(field, at),
    page,
    ...readBox(field, at, file, page),
    required,
    label,
    is_private: isPrivate,
  };
}

function readRecipient(value: unknown, at: string, recipients: readonly Recipient[]): Recipient {
  const found = recipients.find(({ id, position }) => {
    return typeof value === 'number' ? position + 1 === value : id === String(value).toLowerCase();
  });
  if (found === undefined) {
    throw new Refusal(`${at} must be the id of a recipient, or its number from 1 to ${recipients.length}`);
  }
  if (recipientKind(found) === 'cc') throw new Refusal(`${at} only receives a copy and can't have fields`);
  return found;
}

function readPage(value: unknown, at: string, { page_count: count }: DocumentFile): number {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= count) return value as number;
  throw new Refusal(`${at} must be a whole number from 1 to ${count}`);
}

function readBox(field: Record<string, unknown>, at: string, file: DocumentFile, page: number) {
  const [pageWidth, pageHeight] = file.pages[page - 1] as [number, number];
  const [width, height] = [readNumber(field, 'width', at), readNumber(field, 'height', at)];
  const [x, y] = [readNumber(field, 'x', at), readNumber(field, 'y', at)];
  for (const [name, side] of Object.entries({ width, height })) {
    if (side < sideMin) throw new Refusal(`${at}.${name} must be at least ${sideMin} points`);
  }
  for (const [name, start] of Object.entries({ x, y })) {
    if (start < 0) throw new Refusal(`${at}.${name} must not be negative`);
  }
  if (x + width > pageWidth + edgeTolerance) throw new Refusal(`${at}.x: ${beyond(page, 'right', pageWidth)}`);
  if (y + height > pageHeight + edgeTolerance) throw new Refusal(`${at}.y: ${beyond(page, 'lower', pageHeight)}`);
  return { x, y, width, height };
}

function beyond(page: number, edge: string, points: number): string {
  return `the field extends past the ${edge} edge of page ${page}, at ${points} points`;
}

function readNumber(field: Record<string, unknown>, name: string, at: string): number {
  const value = field[name];
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new Refusal(`${at}.${name} must be a number of points`);
  return value;
}

function readLabel(value: unknown, at: string): string | null {
  if (value === undefined || value === null) return null;
  const isLabel = typeof value === 'string' && value.trim() !== '' && [...value].length <= labelLengthMax;
  if (!isLabel || !isStorable(value)) throw new Refusal(`${at} must be 1 to ${labelLengthMax} characters`);
  return value;
}
