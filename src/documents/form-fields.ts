import type { FormField } from '../pdf/pdfium/form-fields.ts';
import { type DateFormat, dateFormats } from './date-format.ts';
import {
  type Field,
  fieldsMax,
  groupMax,
  groupMin,
  labelLengthMax,
  optionLengthMax,
  optionsMax,
  optionsMin,
} from './field.ts';
import type { FieldType } from './field-types.ts';
import { sideMin } from './read-placed-fields.ts';

/** A field that a PDF's form suggests, as it is placed. Whose it is, the sender knows. */
export interface SuggestedField
  extends Pick<
    Field,
    'type' | 'page' | 'x' | 'y' | 'width' | 'height' | 'required' | 'label' | 'decimals' | 'options' | 'date_format'
  > {
  group: string | null;
}

export interface Suggestion {
  fields: SuggestedField[];
  /** How many fields of the form stay as they are: they have a value, or the document can't have such a field. */
  others: number;
}

/** Names for groups of radio buttons, and for buttons, that have none in the file: `Group` becomes `Group 1`. */
export interface SuggestedNames {
  group: string;
  option: string;
}

type PageSizes = ReadonlyArray<readonly [width: number, height: number]>;

/** Suggests a field for each empty one of a PDF's form. `pages`: the sizes of its pages in points. */
export function suggestFields(form: readonly FormField[], pages: PageSizes, names: SuggestedNames): Suggestion {
  const buttons = form.filter(({ kind }) => kind === 'radio');
  const groups = [...Map.groupBy(buttons, ({ name }) => name).values()];
  const named = new Map(
    nameGroups(
      groups.filter((group) => isWhole(group, pages)),
      names,
    ),
  );
  const suggested = form.flatMap((field): SuggestedField[] => {
    const box = withinPage(field, pages);
    if (box === null || !canBeFilled(field)) return [];
    if (field.kind !== 'radio') return [{ ...plain(field), ...typed(field), ...box }];
    const button = named.get(field);
    return button === undefined ? [] : [{ ...plain(field), type: 'radio', ...button, ...box }];
  });
  const fields = withoutCutGroups(suggested.slice(0, fieldsMax), suggested);
  return { fields, others: form.length - fields.length };
}

/** Returns group and label of each button. Groups have different names, and so have the buttons of a group. */
function nameGroups(groups: ReadonlyArray<readonly FormField[]>, names: SuggestedNames) {
  const taken = new Set<string>();
  return groups.flatMap((group) => {
    const name = firstFree(labelOf(group[0] as FormField), names.group, taken);
    const labels = group.map(({ choice }) => oneLine(choice, optionLengthMax));
    const areClear = labels.every((label, index) => label !== null && labels.indexOf(label) === index);
    return group.map((button, index) => {
      const label = areClear ? (labels[index] ?? null) : `${names.option} ${index + 1}`;
      return [button, { group: name, label }] as const;
    });
  });
}

/** Returns a name that isn't taken, with a number at its end if it needs one. */
function firstFree(name: string | null, otherwise: string, taken: Set<string>): string {
  const base = name === null ? otherwise : [...name].slice(0, labelLengthMax - 4).join('');
  let free = name === null ? `${base} 1` : base;
  for (let n = 2; taken.has(free); n += 1) free = `${base} ${n}`;
  taken.add(free);
  return free;
}

function plain(field: FormField) {
  const { page, isRequired: required } = field;
  return { page, required, label: labelOf(field), decimals: null, options: null, date_format: null, group: null };
}

function typed(field: FormField): { type: FieldType } & Partial<SuggestedField> {
  switch (field.kind) {
    case 'signature':
      return { type: 'signature', required: true, label: null };
    case 'list':
      return { type: 'dropdown', options: optionsOf(field) };
    case 'text':
      return textKind(field.format);
    default:
      return { type: field.kind };
  }
}

/** Programs mark dates and numbers by the script that writes them. */
function textKind(format: string): { type: FieldType } & Partial<SuggestedField> {
  if (/\bAFDate_Format(Ex)?\s*\(/.test(format)) return { type: 'date', date_format: dateFormatOf(format) };
  const [, decimals] = /\bAFNumber_Format\s*\(\s*([0-6])\s*,/.exec(format) ?? [];
  return decimals === undefined ? { type: 'text' } : { type: 'number', decimals: Number(decimals) };
}

/** Returns the format of `AFDate_FormatEx("dd.mm.yyyy")`. Years have four digits here, and days and months two. */
function dateFormatOf(script: string): DateFormat | null {
  const [, pattern = ''] = /\bAFDate_FormatEx\s*\(\s*["']([^"']*)["']/.exec(script) ?? [];
  const written = pattern
    .toUpperCase()
    .replace(/\bYY\b/, 'YYYY')
    .replaceAll(/\b[MD](?=[/.-])/g, (letter) => letter + letter);
  return dateFormats.find((format) => format === written) ?? null;
}

function optionsOf({ options }: FormField): string[] {
  return [...new Set(options.map(withoutHidden).filter((option) => option !== ''))];
}

function canBeFilled(field: FormField): boolean {
  if (field.isFilled || field.isSpecial) return false;
  if (field.kind !== 'list') return true;
  const options = optionsOf(field);
  const isCount = options.length >= optionsMin && options.length <= optionsMax;
  return isCount && options.every((option) => [...option].length <= optionLengthMax);
}

/** Whether all buttons of a group can be placed. One that is chosen already decides over the others. */
function isWhole(group: readonly FormField[], pages: PageSizes): boolean {
  const isCount = group.length >= groupMin && group.length <= groupMax;
  return isCount && group.every((button) => canBeFilled(button) && withinPage(button, pages) !== null);
}

function withoutCutGroups(kept: SuggestedField[], all: readonly SuggestedField[]): SuggestedField[] {
  const cut = new Set(all.slice(kept.length).flatMap(({ group }) => group ?? []));
  return kept.filter(({ group }) => group === null || !cut.has(group));
}

/** Cuts what extends past the edges of the page. Null when too little is left to be hit or read. */
function withinPage({ page, x, y, width, height }: FormField, pages: PageSizes) {
  const [pageWidth, pageHeight] = pages[page - 1] ?? [0, 0];
  const [left, top] = [roundUp(Math.max(0, x)), roundUp(Math.max(0, y))];
  const [right, bottom] = [Math.min(pageWidth, x + width), Math.min(pageHeight, y + height)];
  const box = { x: left, y: top, width: roundDown(right - left), height: roundDown(bottom - top) };
  return box.width >= sideMin && box.height >= sideMin ? box : null;
}

function roundDown(points: number): number {
  return Math.floor(points * 100) / 100;
}

function roundUp(points: number): number {
  return Math.ceil(points * 100) / 100;
}

/** Names that programs give: `Text1`, `Check Box 3`, `f1 01`. */
const givenName =
  /^(text|check|combo|list|drop|radio|date|signature|number|undefined|untitled|group|f|c)? ?(field|box|down|button|list)?[ -]*\d[\d .]*$/i;

/** Returns how people know a field: its description or, without one, its own part of the name. Null: neither says something. */
function labelOf({ description, name }: FormField): string | null {
  const described = oneLine(description, labelLengthMax);
  if (described !== null) return described;
  const own = name.split('.').at(-1) ?? '';
  const named = oneLine(own.replace(/\[\d+\]$/, '').replaceAll('_', ' '), labelLengthMax);
  if (named === null || givenName.test(named)) return null;
  const [first = '', ...rest] = named;
  return named.toLowerCase() === named ? first.toUpperCase() + rest.join('') : named;
}

/** Returns a text without line breaks and characters that nobody sees, and cut to a number of characters. Null: nothing is left. */
function oneLine(text: string, lengthMax: number): string | null {
  return [...withoutHidden(text)].slice(0, lengthMax).join('').trim() || null;
}

/** Returns a text with single spaces for line breaks and characters that nobody sees, such as one that PostgreSQL can't store. */
function withoutHidden(text: string): string {
  return text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
}
