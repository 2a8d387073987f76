import { Refusal } from '../errors.ts';
import { withoutDirectionOverrides } from '../platform/direction-overrides.ts';
import { type DateFormat, dateFormats } from './date-format.ts';
import {
  type FieldRules,
  isStorable,
  labelLengthMax,
  optionLengthMax,
  optionsMax,
  optionsMin,
  readFieldValue,
} from './field.ts';
import type { FieldType } from './field-types.ts';
import { FormulaError, formulaLengthMax, parseFormula } from './formula.ts';
import { formulaSentence } from './formula-sentence.ts';
import { anyNumber, compareNumbers, decimalsMax, hasNumbers, readNumber } from './number-value.ts';
import { isTextFormat, namedFormats, patternLengthMax, type TextFormat } from './text-format.ts';

/** Types whose value the sender can give. */
const presetTypes: readonly FieldType[] = ['text', 'number', 'date', 'checkbox', 'dropdown'];

/** Properties that only fields of one type have. */
const ownProperties: Partial<Record<FieldType, readonly string[]>> = {
  number: ['min', 'max', 'decimals', 'formula'],
  dropdown: ['options'],
  radio: ['group'],
  date: ['date_format'],
  text: ['text_format'],
};

/** Property names that this file reads. */
export const ruleProperties = [
  ...['min', 'max', 'decimals', 'options', 'group', 'value', 'read_only', 'shown_if'],
  ...['formula', 'date_format', 'text_format'],
];

/** Reads `min`, `max` and `decimals` of a number, `options` of a drop-down list, and `text_format` of a text. */
export function readFieldRules(field: Record<string, unknown>, type: FieldType, at: string): FieldRules {
  for (const [owner, names] of Object.entries(ownProperties)) {
    const name = names.find((name) => owner !== type && isGiven(field[name]));
    if (name !== undefined) throw new Refusal(`${at}.${name} is only for fields of type ${owner}`);
  }
  const options = type === 'dropdown' ? readOptions(field.options, `${at}.options`) : null;
  const text_format = type === 'text' ? readTextFormat(field.text_format, `${at}.text_format`) : null;
  return { type, options, text_format, ...(type === 'number' ? readNumberRules(field, at) : anyNumber) };
}

function readNumberRules(field: Record<string, unknown>, at: string) {
  const decimals = field.decimals ?? null;
  const isCount = Number.isInteger(decimals) && (decimals as number) >= 0 && (decimals as number) <= decimalsMax;
  if (decimals !== null && !isCount)
    throw new Refusal(`${at}.decimals must be a whole number from 0 to ${decimalsMax}`);
  const [min, max] = ['min', 'max'].map((name) => {
    const entered = field[name];
    if (!isGiven(entered)) return null;
    const value = readDecimal(entered);
    if (value === null) throw new Refusal(`${at}.${name} must be a number`);
    return value;
  }) as [string | null, string | null];
  if (min !== null && max !== null && compareNumbers(min, max) > 0) {
    throw new Refusal(`${at}.max must not be smaller than min`);
  }
  const rules = { number_min: min, number_max: max, decimals: decimals as number | null };
  if (!hasNumbers(rules)) throw new Refusal(`${at}: no number with ${rules.decimals} decimals is between min and max`);
  return rules;
}

/** Reads a decimal as a string, or as a number of JSON. */
function readDecimal(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return readNumber(String(value), 'canonical', anyNumber);
}

function readOptions(input: unknown, at: string): string[] {
  const isList = Array.isArray(input) && input.length >= optionsMin && input.length <= optionsMax;
  if (!isList) throw new Refusal(`${at} must be ${optionsMin} to ${optionsMax} texts`);
  const options = input.map((option: unknown, index) => {
    // Browsers show and send white space in an option as one space.
    const text =
      typeof option === 'string' && isStorable(option)
        ? withoutDirectionOverrides(option)
            .trim()
            .replace(/[\t\n\f\r ]+/g, ' ')
        : '';
    if (text === '' || [...text].length > optionLengthMax) {
      throw new Refusal(`${at}[${index}] must be 1 to ${optionLengthMax} characters`);
    }
    return text;
  });
  const twin = options.findIndex((option, index) => options.indexOf(option) < index);
  if (twin !== -1) throw new Refusal(`${at}[${twin}] stands in the list already`);
  return options;
}

function readTextFormat(given: unknown, at: string): TextFormat | null {
  if (!isGiven(given)) return null;
  const format = typeof given === 'string' ? withoutDirectionOverrides(given).normalize('NFC').trim() : '';
  if (!isTextFormat(format)) {
    throw new Refusal(
      `${at} must be one of ${namedFormats.join(', ')}, or a pattern of up to ${patternLengthMax} characters with 9 for a digit, A for a letter or * for either`,
    );
  }
  return format;
}

/**
 * Reads the value that the sender gives, `value`, and whether the recipient can't change it, `read_only`. A read-only date without
 * a value is the day of signing.
 */
export function readPreset(field: Record<string, unknown>, rules: FieldRules, at: string) {
  const isFixed = field.read_only ?? false;
  if (typeof isFixed !== 'boolean') throw new Refusal(`${at}.read_only must be true or false`);
  if (!isGiven(field.value)) {
    if (isFixed && rules.type !== 'date') throw new Refusal(`${at}.value is required for a field that is read-only`);
    return { preset: null, is_fixed: isFixed };
  }
  if (!presetTypes.includes(rules.type)) throw new Refusal(`${at}.value can't be given for the type ${rules.type}`);
  const { value } = field;
  const text =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  const preset = text.trim() === '' ? null : readFieldValue(rules, text.trim(), 'canonical');
  if (preset === null) throw new Refusal(`${at}.value is not valid for this field`);
  return { preset, is_fixed: isFixed };
}

/**
 * Reads the `formula` of a number, in which fields are numbers in the list, from 1. A calculated field has no other value, and no
 * limits. Returns the formula with positions.
 */
export function readFormula(field: Record<string, unknown>, at: string): { formula: string | null } {
  if (!isGiven(field.formula)) return { formula: null };
  if (typeof field.formula !== 'string') throw new Refusal(`${at}.formula must be a text`);
  const extra = ['min', 'max', 'value'].find((name) => isGiven(field[name]));
  if (extra !== undefined) throw new Refusal(`${at}.${extra} can't be given for a calculated field`);
  try {
    const formula = parseFormula(field.formula);
    const strange = formula.references.find((reference) => !/^[1-9]\d{0,2}$/.test(reference));
    if (strange !== undefined) {
      throw new Refusal(`${at}.formula: {${strange.slice(0, 40)}} must be the number of a field, such as {1}`);
    }
    const written = formula.write('canonical', (reference) => String(Number(reference) - 1));
    if (written.length > formulaLengthMax) throw new FormulaError('too_long');
    return { formula: written };
  } catch (error) {
    if (error instanceof FormulaError) throw new Refusal(`${at}.formula ${formulaSentence(error)}`);
    throw error;
  }
}

/** Reads the `date_format` of a date. */
export function readDateFormat({ date_format: given }: Record<string, unknown>, at: string): DateFormat | null {
  if (!isGiven(given)) return null;
  const format = dateFormats.find((known) => known === given);
  if (format === undefined) throw new Refusal(`${at}.date_format must be one of: ${dateFormats.join('; ')}`);
  return format;
}

/** Reads the `group` of a radio button, and the condition `shown_if: { field, value }`. `field` counts from 1. */
export function readRelations(field: Record<string, unknown>, type: FieldType, at: string) {
  const { group } = field;
  // Browsers change line breaks in the names of controls.
  const isName = typeof group === 'string' && isStorable(group) && !/[\n\r]/.test(group.trim());
  const name = isName ? withoutDirectionOverrides(group).trim() : '';
  if (type === 'radio' && (name === '' || [...name].length > labelLengthMax)) {
    throw new Refusal(`${at}.group must be 1 to ${labelLengthMax} characters`);
  }
  return { group_name: type === 'radio' ? name : null, ...readCondition(field.shown_if, `${at}.shown_if`) };
}

function readCondition(input: unknown, at: string) {
  if (!isGiven(input)) return { condition_position: null, condition_value: null };
  const { field, value, ...others } = Object(input) as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Refusal(`${at}.${unknown.slice(0, 40)} is not a property of a condition`);
  if (!Number.isInteger(field) || (field as number) < 1) throw new Refusal(`${at}.field must be the number of a field`);
  if (typeof value !== 'string' && typeof value !== 'boolean') throw new Refusal(`${at}.value must be a text`);
  return { condition_position: (field as number) - 1, condition_value: String(value) };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
