import type { Language } from '../platform/language.ts';

// The signing page's script and the console import this file, so it imports nothing that needs Node.js.

/** The maximum number of digits before the decimal sign. */
export const numberDigitsMax = 15;
export const decimalsMax = 6;
/** The maximum length of what is entered, in UTF-16 units. Leaves room for zeros and spaces that were pasted along. */
export const enteredLengthMax = 100;

export interface NumberRules {
  /** The smallest and the largest number, as canonical decimals. Null: no limit. */
  number_min: string | null;
  number_max: string | null;
  /** The number of decimal places that values are written with. Null: as many as needed, up to `decimalsMax`. */
  decimals: number | null;
}

export const anyNumber: NumberRules = { number_min: null, number_max: null, decimals: null };

/**
 * How people write numbers. `groupsWithSpaces`: they may separate groups of three digits with spaces. `takesComma`: a comma is read as
 * the decimal sign too, by default only if it is the sign of the language.
 */
export interface NumberStyle {
  hasDecimalComma: boolean;
  groupsWithSpaces: boolean;
  takesComma?: boolean;
}

/** How a number is written: in a language, in the style of a page, or as it is stored and sent. */
export type NumberForm = Language | 'canonical' | NumberStyle;

const withPoint = { hasDecimalComma: false, groupsWithSpaces: false };
const styles: Record<Language | 'canonical', NumberStyle> = {
  canonical: withPoint,
  en: withPoint,
  es: { hasDecimalComma: true, groupsWithSpaces: false },
};

function styleOf(form: NumberForm): NumberStyle {
  return typeof form === 'string' ? styles[form] : form;
}

/** Digits in groups of three, separated by one kind of space. French has a narrow one. */
const spacedGroups = /^([-\u2212+]?)([1-9]\d{0,2}(?:([ \u00a0\u202f])\d{3})(?:\3\d{3})*)(?![ \u00a0\u202f\d])/;

/**
 * Reads a number as people enter it: with a point, or with the decimal sign of the language. Returns the canonical decimal,
 * such as `-1200.50`, or null if it is not a number, is longer than `enteredLengthMax`, or breaks a rule. Points and commas that
 * group digits are not accepted, and spaces only where the language writes them. Where both signs are read, the one that the language
 * doesn't have has two meanings in `1.200` or `1,200`, so that is refused too.
 */
export function readNumber(entered: string, form: NumberForm, rules: NumberRules): string | null {
  if (entered.length > enteredLengthMax) return null;
  const { hasDecimalComma, groupsWithSpaces, takesComma = hasDecimalComma } = styleOf(form);
  const trimmed = entered.trim();
  const text = groupsWithSpaces ? trimmed.replace(spacedGroups, (group) => group.replace(/\s/g, '')) : trimmed;
  const [, sign, whole = '', mark, fraction = ''] = /^([-\u2212+]?)(\d*)(?:([.,])(\d*))?$/.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return null;
  if (mark === ',' && !takesComma) return null;
  const mayGroup = takesComma && mark === (hasDecimalComma ? '.' : ',');
  if (mayGroup && /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3) return null;
  const digits = whole.replace(/^0+(?=.)/, '') || '0';
  const [places = ''] = /^\d*[1-9]/.exec(fraction) ?? [];
  if (digits.length > numberDigitsMax || places.length > (rules.decimals ?? decimalsMax)) return null;
  const written = places.padEnd(rules.decimals ?? 0, '0');
  const isNegative = sign !== '' && sign !== '+' && /[1-9]/.test(digits + places);
  const value = `${isNegative ? '-' : ''}${digits}${written && `.${written}`}`;
  const { number_min: min, number_max: max } = rules;
  if (min !== null && compareNumbers(value, min) < 0) return null;
  return max !== null && compareNumbers(value, max) > 0 ? null : value;
}

/** Whether any number obeys the rules. */
export function hasNumbers({ number_min: min, number_max: max, decimals }: NumberRules): boolean {
  if (min === null || max === null) return true;
  const unit = 10n ** BigInt(decimalsMax - (decimals ?? decimalsMax));
  const [low, high] = [scaled(min), scaled(max)];
  // The largest number of units that is not above the maximum. Division of BigInt rounds towards zero.
  const most = high / unit - (high % unit < 0n ? 1n : 0n);
  return most * unit >= low;
}

/** Compares two canonical decimals. Negative: the first is smaller. */
export function compareNumbers(one: string, other: string): number {
  const difference = scaled(one) - scaled(other);
  return difference < 0n ? -1 : Number(difference > 0n);
}

function scaled(value: string): bigint {
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(decimalsMax, '0'));
}

/** Returns a canonical decimal with the decimal sign of the language. */
export function formatNumber(value: string, form: NumberForm): string {
  return styleOf(form).hasDecimalComma ? value.replace('.', ',') : value;
}
