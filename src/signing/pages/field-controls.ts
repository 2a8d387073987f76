import type { Result } from '../../documents/calculate.ts';
import { textLengthMax, writtenValue } from '../../documents/field.ts';
import { formatNumber, type NumberRules } from '../../documents/number-value.ts';
import { exampleOf, isNamedFormat } from '../../documents/text-format.ts';
import { holdsLines } from '../../documents/text-lines.ts';
import { type Html, html } from '../../http/html.ts';
import type { PageLanguage } from '../../page-texts/texts.ts';
import { texts } from '../../page-texts/texts.ts';
import { withoutDirectionOverrides } from '../../platform/direction-overrides.ts';
import { unitsMax } from '../text-lengths.ts';
import { reasonOf } from './calculation-words.ts';
import { content, spoken } from './shown-marks.ts';
import type { PageField } from './signing-page-view.ts';

export interface NamedField {
  field: PageField;
  /** Shown in the field while it is empty: the sender's label, or the kind of field. */
  caption: string;
  /** The accessible name, for example `Signature, page 2, required`. */
  name: string;
  /** The name within a sentence, for example `Signature, page 2`. */
  shortName: string;
  /** The label in a list of fields: the sender's label, or the kind of field and the page. */
  title: string;
  /** What the label in a list leaves out of the name, for example `page 2, required`. */
  about: string;
  /** The position in reading order over the whole file, from 1. */
  number: number;
}

/** Returns the fields in reading order with their names. Equal names on a page are numbered. */
export function nameFields(language: PageLanguage, fields: readonly PageField[]): NamedField[] {
  const text = texts[language].file;
  const captionOf = ({ label, type }: PageField) => label?.trim() || text.fieldTypes[type];
  const groupOf = ({ group }: PageField) => (group === null ? [] : [group]);
  const twin = (a: PageField, b: PageField) => a.page === b.page && captionOf(a) === captionOf(b);
  const ordered = [...fields].sort(byReadingOrder);
  return ordered.map((field, index) => {
    const twins = ordered.filter((other) => twin(field, other));
    const count = twins.length > 1 ? ` ${twins.indexOf(field) + 1}` : '';
    const kind = field.label?.trim() ? [text.fieldTypes[field.type]] : [];
    const isRequired = mannerOf(language, field);
    const caption = `${captionOf(field)}${count}`;
    const page = text.onPage(field.page);
    const name = [caption, ...groupOf(field), ...kind, page, isRequired].join(', ');
    const shortName = `${field.group ?? caption}, ${page}`;
    const title = kind.length > 0 ? caption : `${caption}, ${page}`;
    const about = [...kind, ...(kind.length > 0 ? [page] : []), isRequired].join(', ');
    return { field, caption: captionOf(field), name, shortName, title, about, number: index + 1 };
  });
}

/** Says whether a field must be filled in, or who fills it in. */
export function mannerOf(language: PageLanguage, { isFixed, calculation, required }: PageField): string {
  const text = texts[language].file;
  if (calculation !== null) return text.calculated;
  return isFixed ? text.fixed : required ? text.required : text.optional;
}

/** Compares line by line. Fields at about the same height are read from left to right. */
function byReadingOrder(a: PageField, b: PageField): number {
  if (a.page !== b.page) return a.page - b.page;
  const isSameLine = Math.abs(middleOf(a) - middleOf(b)) < Math.min(a.height, b.height) / 2;
  return isSameLine ? a.x - b.x : middleOf(a) - middleOf(b);
}

function middleOf({ y, height }: PageField): number {
  return y + height / 2;
}

/**
 * Renders a form control. Its position is a data attribute that the script applies, because the security policy allows no
 * styles in the markup: left, top, width and height in percent of the page, and the font size in percent of its width.
 */
export function fieldSlot(language: PageLanguage, named: NamedField, page: { width: number; height: number }): Html {
  const { field } = named;
  const percent = (part: number, whole: number) => String(Math.round((part / whole) * 100_000) / 1000);
  const place = [
    percent(field.x, page.width),
    percent(field.y, page.height),
    percent(field.width, page.width),
    percent(field.height, page.height),
  ];
  const letters = percent(Math.min(field.height * 0.7, lettersMax), page.width);
  if (field.isFixed) {
    return html`<div class="slot slot-fixed needs-script" id="field-${named.number}" data-place="${place.join(' ')}"${labelData(named)}${conditionData(field)} data-value="${field.value ?? ''}">${fixedValue(language, named)}</div>
`;
  }
  const type = field.calculation === null ? field.type : 'number slot-calculated';
  return html`<div class="slot slot-${type} needs-script" data-place="${place.join(' ')}" data-letters="${letters}"${labelData(named)}${conditionData(field)}>${control(language, named)}</div>
`;
}

/** The largest font size in points, so that text in a large field isn't larger than the text around it. */
const lettersMax = 12;

function control(language: PageLanguage, named: NamedField): Html {
  const { field, caption, name, shortName, number } = named;
  const common = html`class="control" id="field-${number}" data-field="${field.id}" data-type="${field.type}" data-name="${name}" data-short-name="${shortName}"${field.required && html` data-required`} aria-label="${name}"`;
  const value = field.value ?? '';
  switch (field.type) {
    case 'signature':
    case 'initials':
    case 'stamp':
      return html`<button type="button" ${common}${value === 'true' && html` data-placed`} data-caption="${caption}">${caption}</button>`;
    case 'upload':
      return html`<button type="button" ${common}${field.file ? html` data-file="${field.file.id}" data-file-name="${field.file.name}"` : null} data-caption="${caption}">${field.file?.name ?? caption}</button>`;
    case 'date':
      return html`<input type="date" ${common} value="${value}" max="9999-12-31" data-rule="${texts[language].file.dateRule}" autocomplete="off" lang="${language}">`;
    case 'text': {
      const rule = textRule(language, field);
      const text = html`placeholder="${caption}" data-rule="${rule}"${formatData(field, rule)} maxlength="${unitsMax(textLengthMax)}" dir="auto" autocomplete="off"`;
      return holdsLines(field)
        ? html`<textarea ${common} ${text}>\n${value}</textarea>`
        : html`<input type="text" ${common} value="${value}" ${text} enterkeyhint="done">`;
    }
    case 'number':
      if (field.calculation !== null) return result(language, common, named);
      return html`<input type="text" inputmode="${inputMode(field.numberRules)}" ${common} value="${formatNumber(value, texts[language].numbers)}" placeholder="${caption}"${numberData(language, field)} maxlength="${numberUnitsMax}" autocomplete="off" enterkeyhint="done">`;
    case 'dropdown':
      return html`<select ${common} autocomplete="off"><option value="">${caption}</option>${optionsOf(field, field.value)}</select>`;
    case 'radio':
      return html`<input type="radio" ${common} name="radio ${field.group}" data-group="${field.group}"${value === 'true' && html` checked`} autocomplete="off">`;
    case 'checkbox':
      return html`<input type="checkbox" ${common}${value === 'true' && html` checked`} autocomplete="off">`;
  }
}

/** Renders the result of a calculated field, which the script calculates again as other fields change. */
function result(language: PageLanguage, common: Html, { field, caption, number }: NamedField): Html {
  const { formula, others } = field.calculation ?? {};
  const value = formatNumber(field.value ?? '', texts[language].numbers);
  const { decimals } = field.numberRules ?? {};
  return html`<input type="text" readonly ${common} aria-describedby="field-${number}-reason" value="${value}" placeholder="${caption}" data-formula="${formula ?? ''}" data-others="${JSON.stringify(others)}"${typeof decimals === 'number' && html` data-decimals="${decimals}"`} autocomplete="off"><span class="visually-hidden" id="field-${number}-reason"></span>`;
}

/** Says why a calculated field has no result, or returns null. `fields`: the recipient's own. */
export function reasonFor(
  language: PageLanguage,
  { calculation }: PageField,
  result: Result | null,
  fields: readonly NamedField[],
): string | null {
  if (calculation === null || result === null || result.value !== null) return null;
  const nameOf = (at: number) => fields.find(({ field }) => field.position === at)?.caption ?? null;
  return reasonOf(result, calculation, nameOf, texts[language].file.script);
}

/** The view of the fields as a form has these attributes as labels. `data-own`: the label is the sender's. */
function labelData({ field, title, about }: NamedField): Html {
  return html` data-label="${title}" data-about="${about}"${Boolean(field.label?.trim()) && html` data-own`}`;
}

/** The script shows and hides fields with these attributes. */
function conditionData({ position, type, condition }: PageField): Html {
  return html` data-position="${position}" data-kind="${type}"${condition && html` data-if="${condition.position}" data-if-value="${condition.value}"`}`;
}

/** Renders a value that the sender gave, as the sealed PDF will show it, with its text for screen readers. */
function fixedValue(language: PageLanguage, { field, name }: NamedField): Html {
  const { type, width, height } = field;
  const shown = { type, width, height, value: fixedText(language, field), mark: null };
  return html`<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${content(shown)}</svg><span class="visually-hidden">${name}: <span>${spoken(shown, language)}</span></span>`;
}

/** Returns the value of a fixed field as people read it. A date without one becomes the day of signing, which isn't known yet. */
export function fixedText(language: PageLanguage, { type, dateFormat, value }: PageField): string {
  if (type === 'date' && value === null) return texts[language].file.signingDay;
  const writing = { numbers: texts[language].numbers, language };
  return withoutDirectionOverrides(writtenValue({ type, date_format: dateFormat ?? null }, value ?? '', writing));
}

/** Room for every number, with spaces that were pasted along. */
export const numberUnitsMax = 40;

/** Phones show digits and a decimal sign. Their keyboards for decimals lack a minus sign, so negative limits need all keys. */
export function inputMode(rules: NumberRules | null): 'decimal' | 'text' {
  return rules?.number_min?.startsWith('-') ? 'text' : 'decimal';
}

/** Returns the sentence that says which numbers a field takes. */
export function numberRule(language: PageLanguage, { numberRules }: PageField): string {
  const { number_min = null, number_max = null, decimals = null } = numberRules ?? {};
  const written = (value: string | null) => value && formatNumber(value, texts[language].numbers);
  return texts[language].file.numberRule(written(number_min), written(number_max), decimals);
}

/** Returns the sentence that says which texts a field takes. */
export function textRule(language: PageLanguage, { textFormat = null }: PageField): string {
  const { textRule, formatRules, patternRule } = texts[language].file;
  if (textFormat === null) return textRule(textLengthMax);
  return isNamedFormat(textFormat) ? formatRules[textFormat] : patternRule(exampleOf(textFormat));
}

/** Returns the keyboard of phones for a text. */
export function keyboardOf({ textFormat = null }: PageField): 'email' | 'tel' | 'numeric' | undefined {
  if (textFormat === 'email') return 'email';
  if (textFormat === 'phone') return 'tel';
  // A pattern of digits alone: the keyboard of digits has no other signs.
  return textFormat !== null && /^(?:digits|9+)$/.test(textFormat) ? 'numeric' : undefined;
}

/** The script checks texts with these attributes, and a form shows the rule next to the field. */
function formatData(field: PageField, rule: string): Html | null {
  const keyboard = keyboardOf(field);
  if (!field.textFormat) return null;
  return html` data-format="${field.textFormat}" title="${rule}"${keyboard !== undefined && html` inputmode="${keyboard}"`}`;
}

/** The script checks numbers with these attributes. */
function numberData(language: PageLanguage, field: PageField): Html {
  const { number_min: min = null, number_max: max = null, decimals = null } = field.numberRules ?? {};
  const rule = numberRule(language, field);
  return html`${min !== null && html` data-min="${min}"`}${max !== null && html` data-max="${max}"`}${decimals !== null && html` data-decimals="${decimals}"`} title="${rule}"`;
}

export function optionsOf({ options }: PageField, chosen: string | null): Html {
  return html`${(options ?? []).map((option) => html`<option${option === chosen && html` selected`}>${option}</option>`)}`;
}
