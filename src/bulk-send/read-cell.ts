// cspell:ignore falso verdadero

import type { DateFormat } from '../documents/date-format.ts';
import { type Field, readFieldValue } from '../documents/field.ts';
import type { Language } from '../platform/language.ts';

/**
 * Returns the value that a cell of a spreadsheet has for a field, or null if it isn't valid. Accepts what spreadsheet programs
 * write for a checkbox or a date, and options in another case.
 */
export function readCell(field: Field, cell: string, language: Language): string | null {
  return readFieldValue(field, canonicalCell(field, cell), language);
}

function canonicalCell({ type, date_format, options }: Field, cell: string): string {
  switch (type) {
    case 'checkbox':
      return ticks.get(withoutCase(cell)) ?? cell;
    case 'date':
      return readDay(cell, date_format) ?? cell;
    case 'dropdown':
      return readOption(cell, options ?? []) ?? cell;
    default:
      return cell;
  }
}

const ticks = new Map([
  ...['true', 'verdadero', 'yes', 'sí', 'si', '1'].map((word) => [word, 'true'] as const),
  ...['false', 'falso', 'no', '0'].map((word) => [word, 'false'] as const),
]);

/** Returns the option that the cell is, or else the only one that differs in case. */
function readOption(cell: string, options: readonly string[]): string | null {
  if (options.includes(cell)) return cell;
  return indexWithoutCase(options).get(withoutCase(cell)) ?? null;
}

/** The options by their text without case. Null: several differ only in case. Kept, because files have many rows. */
const optionsWithoutCase = new WeakMap<readonly string[], ReadonlyMap<string, string | null>>();

function indexWithoutCase(options: readonly string[]): ReadonlyMap<string, string | null> {
  const kept = optionsWithoutCase.get(options);
  if (kept !== undefined) return kept;
  const found = new Map<string, string | null>();
  for (const option of options) found.set(withoutCase(option), found.has(withoutCase(option)) ? null : option);
  optionsWithoutCase.set(options, found);
  return found;
}

function withoutCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Formats that have the day and the month as numbers in front of the year. */
const endInYear: Partial<Record<DateFormat, { mark: string; hasDayFirst: boolean }>> = {
  'DD/MM/YYYY': { mark: '/', hasDayFirst: true },
  'MM/DD/YYYY': { mark: '/', hasDayFirst: false },
  'DD.MM.YYYY': { mark: '.', hasDayFirst: true },
};

/**
 * Reads a date with the year in front, or in the numeric format of the field. For fields without one, the day must be clear from
 * the date: `13/9/2026` is, and `3/9/2026` isn't. Leading zeros may be missing.
 */
function readDay(cell: string, format: DateFormat | null): string | null {
  const [, year = '', , month = '', day = ''] = /^(\d{4})([-/.])(\d\d?)\2(\d\d?)$/.exec(cell) ?? [];
  if (year !== '') return written(year, month, day);
  const [, first = '', mark, second = '', last = ''] = /^(\d\d?)([-/.])(\d\d?)\2(\d{4})$/.exec(cell) ?? [];
  if (last === '') return null;
  const dayFirst = written(last, second, first);
  const monthFirst = written(last, first, second);
  const form = format === null ? undefined : endInYear[format];
  if (form !== undefined) {
    if (mark !== form.mark) return null;
    return form.hasDayFirst ? dayFirst : monthFirst;
  }
  if (Number(second) > 12) return monthFirst;
  return Number(first) > 12 || dayFirst === monthFirst ? dayFirst : null;
}

function written(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
